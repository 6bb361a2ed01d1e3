import type { DatabaseGate } from './faults/types.ts';
import type { TableKeys } from './refusals.ts';
import type { RequestTokens } from './request-tokens.ts';

/** One change of an item, in the form in which Lambda passes it to a function. */
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
  /** The last sequence number that was processed; without it, reading starts at the oldest record. */
  readonly after?: string;
  /** At most 1,000, as in GetRecords. */
  readonly limit: number;
}

/** The input of `CreateTable`, and time to live, which has a call of its own. */
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

/** The local stand-in for DynamoDB and DynamoDB Streams. */
export interface DynamoDbEngine {
  /** The server's address. Its ARNs may use another Region. */
  readonly endpoint: string;
  /** The Region in the ARNs of the server's answers; the AWS endpoint replaces it by ours. */
  readonly nativeRegion: string;
  /** The `Authorization` header that makes all callers share one database. */
  readonly authorization: string;
  /** Creates the table. An existing table is left as it is, except that one missing global index is added. */
  createTable(definition: TableDefinition, timeToLiveAttribute?: string): Promise<CreatedTable>;
  /** Only for a table that was created here. */
  keysOf(name: string): TableKeys | undefined;
  /** Including its items. */
  deleteTable(name: string): Promise<void>;
  /** In the order of the changes; empty when there is nothing after the position. */
  readStream(position: StreamPosition): Promise<readonly StreamRecord[]>;
  /** Where a reader that wants only later changes starts (`after`); undefined when nothing was ever written. */
  latestSequenceNumber(streamArn: string): Promise<string | undefined>;
  /**
   * In front of the calls that the AWS endpoint passes on: refuses, delays and counts. Does not cover streams and table
   * calls.
   */
  readonly gate: DatabaseGate;
  /** Behind the gate, for transactions that write. */
  readonly requestTokens: RequestTokens;
  stop(): Promise<void>;
}
