export type EventSourceKind = 'stream' | 'queue';

export interface EventSourceMapping {
  /** Stays the same across restarts, because the checkpoint file is named after it. */
  readonly id: string;
  readonly kind: EventSourceKind;
  readonly eventSourceArn: string;
  readonly functionName: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  /** Streams only. */
  readonly startingPosition?: 'TRIM_HORIZON' | 'LATEST';
  readonly filters: readonly unknown[];
  readonly reportBatchItemFailures: boolean;
  readonly bisectBatchOnFunctionError: boolean;
  /** Streams only; -1 means no limit. */
  readonly maximumRetryAttempts: number;
  /** Streams only; -1 means no limit. */
  readonly maximumRecordAgeSeconds: number;
  /** Streams only: ARN of a queue or topic that is notified of a discarded batch. */
  readonly onFailureArn?: string;
  /** Queues only: how many batches may be in flight at once. @default 1,000 */
  readonly maximumConcurrency?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Polls streams and queues as Lambda does, under the role of the function that receives the records. */
export interface EventSources {
  map(mapping: EventSourceMapping): void;
  /** @throws ServiceFault `ResourceNotFoundException` */
  find(id: string): EventSourceMapping;
  /** Stops or continues polling. Does not survive a restart, at which the template's setting applies again. */
  setEnabled(id: string, isEnabled: boolean): void;
  /**
   * Starts polling. Call this after everything is deployed. Throws when a mapping would fail on AWS because the
   * function does not exist or the function's role may not read the source.
   */
  start(): void;
  stop(): Promise<void>;
}
