import type { Replay } from '../replay/replay.ts';

type Key = Pick<Replay, 'applicationId' | 'id'>;

/** Requested replays, kept for 30 days. */
export interface Replays {
  /** Stores the replay, unless a replay with its id is already stored. Returns the stored replay. */
  keep(replay: Replay): Promise<Replay>;
  find(key: Key): Promise<Replay | undefined>;
  /**
   * Reserves one of the application's `atMost` slots for replays that have not ended. Returns whether the replay has a
   * slot.
   */
  open(replay: Pick<Replay, 'applicationId' | 'id' | 'startedAt'>, atMost: number): Promise<boolean>;
  opened(applicationId: string): Promise<readonly Pick<Replay, 'applicationId' | 'id' | 'startedAt'>[]>;
  /** Frees the replay's slot. Does nothing if the replay has no slot. */
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

/** Queues a replay for a worker. If the same replay is queued twice, its messages are still sent only once. */
export type EnqueueReplay = (key: Key) => Promise<void>;

/** What a worker of replays is asked for. */
export type ReplayWork =
  | { readonly kind: 'replay'; readonly applicationId: string; readonly id: string }
  | { readonly kind: 'redelivery'; readonly applicationId: string; readonly endpointId: string };

export type PutOffReplay = (message: {
  readonly receiptHandle: string;
  readonly seconds: number;
}) => Promise<void>;
