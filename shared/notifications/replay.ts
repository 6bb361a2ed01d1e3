import type { NotificationStatus } from './record.ts';

/** What is to be sent again. Times are milliseconds since the Unix epoch. */
export interface ReplayOrder {
  readonly applicationId: string;
  /** What was published from this time on, and before that one. */
  readonly from: number;
  readonly to: number;
  /** Only what has this status; of what failed, only to the endpoints that have not taken it since. @default any */
  readonly status?: NotificationStatus | undefined;
  /** @default every endpoint of the application */
  readonly endpointId?: string | undefined;
}

export interface Replay extends ReplayOrder {
  readonly id: string;
  readonly startedAt: number;
  /** Absent while it is under way. */
  readonly endedAt?: number | undefined;
  /** Where in the list, which has the newest first, it goes on. @default at the newest */
  readonly next?: string | undefined;
  /** How many notifications of the list it has looked at, and how many messages it has published. */
  readonly looked: number;
  readonly published: number;
}
