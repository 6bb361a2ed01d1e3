import type { EndpointKey } from '../endpoints/endpoint.ts';
import type { Message } from '../messages/message.ts';
import type { Copy, FailedMessage, UndeliveredRow } from '../redeliver/undelivered-row.ts';

/** Rows of what endpoints have not accepted, kept for 30 days after the publication. */
export interface Undelivered {
  /** Stores rows of messages. */
  suspect(key: EndpointKey, messages: readonly FailedMessage[]): Promise<void>;
  /** The rows of messages, oldest first. */
  suspected(
    key: EndpointKey,
    page: { readonly limit: number; readonly after?: FailedMessage | undefined },
  ): Promise<readonly FailedMessage[]>;
  /** Deletes rows of messages. */
  dismiss(key: EndpointKey, messages: readonly FailedMessage[]): Promise<void>;
  /**
   * Makes the message the newest of its subject's row, unless the row has a newer one. `nextAt`: of a row that is new.
   */
  fold(
    key: EndpointKey,
    row: Pick<UndeliveredRow, 'message' | 'publishedAt'> & { readonly nextAt: number },
  ): Promise<void>;
  /** The rows of subjects by `nextAt`, soonest first. May lag by some seconds. */
  soonest(
    key: EndpointKey,
    page: { readonly isGivenUp: boolean; readonly until?: number; readonly limit: number },
  ): Promise<readonly UndeliveredRow[]>;
  /** Puts a row off, unless somebody has changed its `nextAt` since it was read. Returns the row as it is then. */
  take(
    key: EndpointKey,
    row: UndeliveredRow,
    taken: { readonly until: number },
  ): Promise<UndeliveredRow | undefined>;
  /** Changes a taken row. Does nothing if another worker has taken it meanwhile. */
  change(
    key: EndpointKey,
    taken: UndeliveredRow,
    to: Pick<UndeliveredRow, 'nextAt' | 'attempt' | 'isGivenUp' | 'copy'>,
  ): Promise<void>;
  /** Deletes a taken row. Does nothing if it has got a newer message, or another worker has taken it meanwhile. */
  remove(key: EndpointKey, taken: UndeliveredRow): Promise<void>;
  /** Notes that somebody else has sent a copy, so that it is waited for. */
  noteCopy(
    key: EndpointKey,
    sent: {
      readonly message: Message;
      readonly copy: Copy;
      readonly nextAt: number;
      /** Whether to make the subject's row if there is none: the row of a failed message may not be folded yet. */
      readonly isMade: boolean;
    },
  ): Promise<void>;
  /** How many rows an endpoint has, of messages and of subjects. Stops counting at about `atMost`. */
  count(key: EndpointKey, atMost: number): Promise<number>;
}
