import type { ViewerSessions } from '../sessions/viewer-sessions.ts';

/** The version makes a write conditional on the state that was read. */
export interface StoredSessions {
  readonly sessions: ViewerSessions;
  readonly version: number;
}

/** Reads are strongly consistent. */
export interface SessionStore {
  find(userSub: string): Promise<StoredSessions | undefined>;
  /**
   * Replaces the state if its version is still `before`. If `before` is `undefined`, creates the state if there is
   * none. Returns whether the state was written.
   */
  save(
    userSub: string,
    change: { readonly before: number | undefined; readonly sessions: ViewerSessions },
  ): Promise<boolean>;
}
