import type { Replay } from '../replay.ts';

type Key = Pick<Replay, 'applicationId' | 'id'>;

/** Replays that were asked for, kept for 30 days. */
export interface Replays {
  /** Keeps it unless one of its id is there, and answers the one that is kept. */
  keep(replay: Replay): Promise<Replay>;
  find(key: Key): Promise<Replay | undefined>;
  /** Takes a place among the application's open replays, unless `atMost` are taken; answers whether it has one. */
  open(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>, atMost: number): Promise<boolean>;
  /** The places that are taken. */
  opened(applicationId: string): Promise<readonly Pick<Replay, 'applicationId' | 'id' | 'startedAt'>[]>;
  /** Gives a place back; one that nobody has is none. */
  close(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>): Promise<void>;
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
