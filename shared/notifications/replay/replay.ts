import type { NotificationStatus } from '../record/record.ts';

/** Times are milliseconds since the epoch. */
export interface ReplayOrder {
  readonly applicationId: string;
  /** Replays the messages published from `from` (inclusive) to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /**
   * Replays only notifications with this status. A `failed` notification is sent only to endpoints that have not
   * accepted any later message about the same subject. @default any status
   */
  readonly status?: NotificationStatus | undefined;
  /** @default every endpoint of the application */
  readonly endpointId?: string | undefined;
}

export interface Replay extends ReplayOrder {
  readonly id: string;
  readonly startedAt: number;
  /** Absent while the replay is running. */
  readonly endedAt?: number | undefined;
  /**
   * The replay reads the list from the newest notification to the oldest and continues from this position. @default the
   * newest notification
   */
  readonly next?: string | undefined;
  /** How many notifications the replay has read, and how many messages it has published. */
  readonly looked: number;
  readonly published: number;
  /**
   * The fields that only a later release knows. They may narrow the order, so this release does not run the replay.
   * @default none
   */
  readonly later?: readonly string[] | undefined;
}
