import type { NotificationStatus } from './record.ts';

/** What to send again. Times are milliseconds since the Unix epoch. */
export interface ReplayOrder {
  readonly applicationId: string;
  /** Published from the first time (inclusive) to the second (exclusive). */
  readonly from: number;
  readonly to: number;
  /**
   * Only notifications with this status; failed ones go only to endpoints that have not accepted the subject since.
   * @default any
   */
  readonly status?: NotificationStatus | undefined;
  /** @default every endpoint of the application */
  readonly endpointId?: string | undefined;
}

export interface Replay extends ReplayOrder {
  readonly id: string;
  readonly startedAt: number;
  /** Absent while it is running. */
  readonly endedAt?: number | undefined;
  /** The position at which it continues in the list, newest first. @default at the newest */
  readonly next?: string | undefined;
  /** How many notifications of the list it has read, and how many messages it has published. */
  readonly looked: number;
  readonly published: number;
}
