import type { ViewerSessions } from '../viewer-sessions.ts';

export interface SessionOwner {
  readonly applicationId: string;
  readonly userSub: string;
}

/** The version makes a write conditional on the state that was read. */
export interface StoredSessions {
  readonly sessions: ViewerSessions;
  readonly version: number;
}

/** Reads are strongly consistent. */
export interface SessionStore {
  find(owner: SessionOwner): Promise<StoredSessions | undefined>;
  /** Replaces the state with version `before`, or creates it. Returns whether that was still the stored version. */
  save(
    owner: SessionOwner,
    change: { readonly before: number | undefined; readonly sessions: ViewerSessions },
  ): Promise<boolean>;
}
