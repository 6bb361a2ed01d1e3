/** A message of a queue. */
export interface QueuedMessage {
  readonly messageId: string;
  /** For this receipt only. */
  readonly receiptHandle: string;
  readonly body: string;
  /** When the queue got it, milliseconds since the Unix epoch. */
  readonly sentAt: number;
}

/** A queue whose messages are taken for a while and come back unless they are removed. */
export interface MessageQueue {
  /** Some messages, or none when there are none to be had. */
  take(): Promise<readonly QueuedMessage[]>;
  remove(message: QueuedMessage): Promise<void>;
  /** Lets others have them at once. */
  putBack(messages: readonly QueuedMessage[]): Promise<void>;
}
