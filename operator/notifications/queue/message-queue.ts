export interface QueuedMessage {
  readonly messageId: string;
  /** Identifies this receipt of the message. Each receipt has a new handle. */
  readonly receiptHandle: string;
  readonly body: string;
  /** When the message was sent to the queue, epoch milliseconds. */
  readonly sentAt: number;
}

/** A message that was taken is invisible for a while. If it is not removed by then, it becomes visible again. */
export interface MessageQueue {
  /** Takes some of the visible messages. Returns none if there are none. */
  take(): Promise<readonly QueuedMessage[]>;
  remove(message: QueuedMessage): Promise<void>;
  /** Makes messages visible to other readers immediately. */
  putBack(messages: readonly QueuedMessage[]): Promise<void>;
}
