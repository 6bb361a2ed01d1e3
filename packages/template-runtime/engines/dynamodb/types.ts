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
  createTable(definition: TableDefinition, timeToLiveAttribute?: string): Promise<CreatedTable>;
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
   * Refuses, delays and counts the calls that the AWS endpoint passes on, except calls about streams and table
   * definitions.
   */
  readonly gate: DatabaseGate;
  /** Handles the client request tokens of write transactions, after the gate has admitted the call. */
  readonly requestTokens: RequestTokens;
  stop(): Promise<void>;
}
