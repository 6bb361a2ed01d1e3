import type { NotificationStatus } from './record.ts';

/** Times are milliseconds since the epoch. */
export interface ReplayOrder {
  readonly applicationId: string;
  /** Replays the messages published from `from` (inclusive) to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** `failed` notifications are sent only to endpoints that have not accepted the subject since. @default any */
  readonly status?: NotificationStatus | undefined;
  /** @default every endpoint of the application */
  readonly endpointId?: string | undefined;
}

export interface Replay extends ReplayOrder {
  readonly id: string;
  readonly startedAt: number;
  /** Absent while the replay is running. */
  readonly endedAt?: number | undefined;
  /** The position in the list, newest first, from which the replay continues. @default the newest notification */
  readonly next?: string | undefined;
  /** How many notifications the replay has read, and how many messages it has published. */
  readonly looked: number;
  readonly published: number;
}
