import type { ViewerSessions } from '../viewer-sessions.ts';

/** A viewer as one application knows them. */
export interface SessionOwner {
  readonly applicationId: string;
  readonly userSub: string;
}

/** Sessions and which of their states they are, so that a write can be conditional on what was read. */
export interface StoredSessions {
  readonly sessions: ViewerSessions;
  readonly version: number;
}

/** The sessions of viewers. Reads are consistent. */
export interface SessionStore {
  find(owner: SessionOwner): Promise<StoredSessions | undefined>;
  /** Replaces the state with version `before`, or creates it; answers whether it was still the stored one. */
  save(
    owner: SessionOwner,
    change: { readonly before: number | undefined; readonly sessions: ViewerSessions },
  ): Promise<boolean>;
}
