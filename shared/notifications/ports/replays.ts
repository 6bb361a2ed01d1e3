import type { Replay } from '../replay.ts';

type Key = Pick<Replay, 'applicationId' | 'id'>;

/** Requested replays, kept for 30 days. */
export interface Replays {
  /** Stores it unless its id exists; returns the stored one. */
  keep(replay: Replay): Promise<Replay>;
  find(key: Key): Promise<Replay | undefined>;
  /** Takes one of the application's places for open replays, unless `atMost` are taken; returns whether it has one. */
  open(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>, atMost: number): Promise<boolean>;
  /** The taken places. */
  opened(applicationId: string): Promise<readonly Pick<Replay, 'applicationId' | 'id' | 'startedAt'>[]>;
  /** Gives a place back; does nothing when it is not taken. */
  close(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>): Promise<void>;
  /** Replaces it, unless someone else has since `before` was read. */
  advance(replay: Replay, before: Pick<Replay, 'next'>): Promise<void>;
  /** Whether `holder` alone may replay for an application, until the given time. */
  hold(lease: {
    readonly applicationId: string;
    readonly holder: string;
    readonly now: number;
    readonly until: number;
  }): Promise<boolean>;
  release(lease: { readonly applicationId: string; readonly holder: string }): Promise<void>;
}

/** Queues work on a replay; queued twice, it is done once. */
export type EnqueueReplay = (key: Key) => Promise<void>;

/** Makes an unfinished message of the queue visible again this soon. */
export type PutOffReplay = (message: {
  readonly receiptHandle: string;
  readonly seconds: number;
}) => Promise<void>;
