export type EventSourceKind = 'stream' | 'queue';

/** A mapping as `AWS::Lambda::EventSourceMapping` declares it, with Lambda's defaults filled in. */
export interface EventSourceMapping {
  /** Stable across restarts: checkpoints are stored under it. */
  readonly id: string;
  readonly kind: EventSourceKind;
  /** ARN of a table's stream or of a queue. */
  readonly eventSourceArn: string;
  /** Name or ARN of the function. */
  readonly functionName: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  /** Streams only. */
  readonly startingPosition?: 'TRIM_HORIZON' | 'LATEST';
  readonly filters: readonly unknown[];
  readonly reportBatchItemFailures: boolean;
  readonly bisectBatchOnFunctionError: boolean;
  /** Streams only; -1 is without end. */
  readonly maximumRetryAttempts: number;
  /** Streams only; -1 is without end. */
  readonly maximumRecordAgeSeconds: number;
  /** Streams only: ARN of a queue or topic that is told about a discarded batch. */
  readonly onFailureArn?: string;
  /** Queues only: how many batches may be in flight at once. @default 1,000 */
  readonly maximumConcurrency?: number;
}

/** The local stand-in for Lambda's pollers. They poll under the function's own role, as Lambda does. */
export interface EventSources {
  map(mapping: EventSourceMapping): void;
  /**
   * Starts polling; call it when everything is deployed. Throws when a mapping could not work on AWS: its function is
   * missing, or the function's role may not read the source.
   */
  start(): void;
  stop(): Promise<void>;
}
