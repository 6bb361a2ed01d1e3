import type { Replay } from '../replay.ts';

type Key = Pick<Replay, 'applicationId' | 'id'>;

/** Requested replays, kept for 30 days. */
export interface Replays {
  /** Stores the replay, unless a replay with its id is already stored. Returns the stored replay. */
  keep(replay: Replay): Promise<Replay>;
  find(key: Key): Promise<Replay | undefined>;
  /** Takes one of the application's `atMost` places for open replays. Returns whether the replay has a place. */
  open(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>, atMost: number): Promise<boolean>;
  opened(applicationId: string): Promise<readonly Pick<Replay, 'applicationId' | 'id' | 'startedAt'>[]>;
  /** Gives a place back. Does nothing if the place is not taken. */
  close(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>): Promise<void>;
  /** Replaces the stored replay, unless another worker has replaced it since `before` was read. */
  advance(replay: Replay, before: Pick<Replay, 'next'>): Promise<void>;
  /** Takes or extends the lease to run an application's replays. Returns whether `holder` has the lease. */
  hold(lease: {
    readonly applicationId: string;
    readonly holder: string;
    readonly now: number;
    readonly until: number;
  }): Promise<boolean>;
  release(lease: { readonly applicationId: string; readonly holder: string }): Promise<void>;
}

/** Queues work on a replay. If it is queued twice, the work is done once. */
export type EnqueueReplay = (key: Key) => Promise<void>;

export type PutOffReplay = (message: {
  readonly receiptHandle: string;
  readonly seconds: number;
}) => Promise<void>;
