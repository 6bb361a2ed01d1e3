import type { Message } from '../messages/message.ts';

/** A failed delivery, as SNS logs it: it names a message and no subject. Times are milliseconds since the epoch. */
export interface FailedMessage {
  readonly messageId: string;
  /**
   * When it was published, by the time of its failure. Earlier than that by an hour at most if SNS did not log how long
   * it tried.
   */
  readonly publishedAt: number;
  readonly isExact: boolean;
}

/** A message that was sent again. */
export interface Copy {
  readonly id: string;
  readonly publishedAt: number;
}

/** A subject that an endpoint may not have accepted. Times are milliseconds since the epoch. */
export interface UndeliveredRow {
  /** The newest message about the subject that has failed. */
  readonly message: Message;
  readonly publishedAt: number;
  /** When the row is looked at next. */
  readonly nextAt: number;
  /** How many copies the endpoint has refused while it accepted others. */
  readonly attempt: number;
  /** Whether the row is at the end of its ladder, so that it is not sent any more. */
  readonly isGivenUp: boolean;
  /** The last copy, if it was not judged yet. */
  readonly copy?: Copy | undefined;
}
