/** A message of a queue. */
export interface QueuedMessage {
  readonly messageId: string;
  /** Valid for this receipt only. */
  readonly receiptHandle: string;
  readonly body: string;
  /** When the queue got it, milliseconds since the Unix epoch. */
  readonly sentAt: number;
}

/** A queue. A message that is taken is invisible for a while, and comes back unless it is removed. */
export interface MessageQueue {
  /** Takes some messages; returns none when the queue has none to give. */
  take(): Promise<readonly QueuedMessage[]>;
  remove(message: QueuedMessage): Promise<void>;
  /** Makes messages visible to other readers at once. */
  putBack(messages: readonly QueuedMessage[]): Promise<void>;
}
