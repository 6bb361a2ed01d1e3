import type { DatabaseGate } from './faults/types.ts';
import type { TableKeys } from './refusals.ts';
import type { RequestTokens } from './request-tokens.ts';

export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventVersion: string;
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly eventSourceARN: string;
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Readonly<Record<string, unknown>>;
    readonly NewImage?: Readonly<Record<string, unknown>>;
    readonly OldImage?: Readonly<Record<string, unknown>>;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: string;
  };
}

export interface StreamPosition {
  readonly streamArn: string;
  /** The last sequence number that was processed. If it is not set, reading starts at the oldest record. */
  readonly after?: string;
  /** At most 1,000, as in GetRecords. */
  readonly limit: number;
}

/** The input of `CreateTable`. */
export interface TableDefinition {
  readonly TableName: string;
  readonly KeySchema: readonly unknown[];
  readonly AttributeDefinitions: readonly unknown[];
  readonly [property: string]: unknown;
}

export interface CreatedTable {
  readonly tableArn: string;
  readonly streamArn?: string;
}

/** Point-in-time recovery. Times are milliseconds since the Unix epoch. */
export interface Recovery {
  /** Begins the table's journal, unless it is kept already. */
  enable(table: string): void;
  disable(table: string): void;
  /** The moments to which the table can be restored. `undefined` if its recovery is not enabled. */
  windowOf(table: string): { readonly earliest: number; readonly latest: number } | undefined;
  /** The restored tables whose items have not all been written yet. */
  readonly restoring: Pick<ReadonlySet<string>, 'has' | 'size'>;
  /**
   * Makes a new table with the source's keys and indexes, and begins to fill it with the items of that moment. It has no
   * stream, time to live, tags or recovery.
   *
   * @throws ServiceFault as RestoreTableToPointInTime does
   */
  restore(request: {
    readonly sourceTable: string;
    readonly targetTable: string;
    /** @default the latest moment possible */
    readonly at?: number;
  }): Promise<{ readonly at: number }>;
  stop(): Promise<void>;
}

export interface TableOptions {
  readonly timeToLiveAttribute?: string | undefined;
  /** Whether the table can be restored to a moment in the past. @default false */
  readonly hasRecovery?: boolean;
}

export interface DynamoDbEngine {
  /** The server's address. The Region in the server's ARNs may differ from the account's. */
  readonly endpoint: string;
  /** The Region in the server's ARNs. The AWS endpoint replaces it with the account's Region. */
  readonly nativeRegion: string;
  /**
   * The `Authorization` header for calls to the server. All callers use this same header, so that they share one
   * database.
   */
  readonly authorization: string;
  /** Creates the table. An existing table stays as it is, except that one missing global index is added. */
  createTable(definition: TableDefinition, options?: TableOptions): Promise<CreatedTable>;
  /** `undefined` for a table that this engine did not create. */
  keysOf(name: string): TableKeys | undefined;
  deleteTable(name: string): Promise<void>;
  /** Returns the records after the position, oldest first. */
  readStream(position: StreamPosition): Promise<readonly StreamRecord[]>;
  /**
   * The stream's last sequence number, for readers that want only later changes; `undefined` before the first write.
   */
  latestSequenceNumber(streamArn: string): Promise<string | undefined>;
  /**
   * Refuses, delays and counts the calls that come from the AWS endpoint, except calls about streams and table
   * definitions.
   */
  readonly gate: DatabaseGate;
  /** Handles the client request tokens of write transactions, after the gate has admitted the call. */
  readonly requestTokens: RequestTokens;
  /** `undefined` with a server that is not the embedded one: its files are not ours. */
  readonly recovery: Recovery | undefined;
  stop(): Promise<void>;
}
