import type { Replay } from '../replay.ts';

type Key = Pick<Replay, 'applicationId' | 'id'>;

/** Replays that were asked for, kept for 30 days. */
export interface Replays {
  /** Keeps it unless one of its id is there, and answers the one that is kept. */
  keep(replay: Replay): Promise<Replay>;
  find(key: Key): Promise<Replay | undefined>;
  /** Replaces what is known of it, unless someone else has since `before`. */
  advance(replay: Replay, before: Pick<Replay, 'next'>): Promise<void>;
  /** Whether `holder` may replay for an application, alone until then. */
  hold(lease: {
    readonly applicationId: string;
    readonly holder: string;
    readonly now: number;
    readonly until: number;
  }): Promise<boolean>;
  release(lease: { readonly applicationId: string; readonly holder: string }): Promise<void>;
}

/** Has a replay worked for; asked twice, it is worked for once. */
export type EnqueueReplay = (key: Key) => Promise<void>;

/** Has a message of the queue that was not done with come again so soon. */
export type PutOffReplay = (message: {
  readonly receiptHandle: string;
  readonly seconds: number;
}) => Promise<void>;
