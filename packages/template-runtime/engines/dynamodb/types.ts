import type { DatabaseGate } from './faults/types.ts';
import type { TableKeys } from './refusals.ts';
import type { RequestTokens } from './request-tokens.ts';

/** One change of an item, in the very shape in which Lambda hands it to a function. */
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
  /** The last sequence number that was dealt with; without it, reading starts at the oldest record. */
  readonly after?: string;
  /** At most 1,000, as GetRecords has it. */
  readonly limit: number;
}

/** What `CreateTable` takes, besides what is set by other calls: time to live. */
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

/** What stands in for DynamoDB and DynamoDB Streams. */
export interface DynamoDbEngine {
  /** Where the server listens. Its answers may name a region of its own in ARNs. */
  readonly endpoint: string;
  /** The region that stands in ARNs of the server's answers; the AWS endpoint replaces it by ours. */
  readonly nativeRegion: string;
  /** The `Authorization` header under which all share one database. */
  readonly authorization: string;
  /** Creates the table, or leaves one that is there as it is, but for one global index that it may lack. */
  createTable(definition: TableDefinition, timeToLiveAttribute?: string): Promise<CreatedTable>;
  /** Of a table that was created here. */
  keysOf(name: string): TableKeys | undefined;
  /** With all that is in it. */
  deleteTable(name: string): Promise<void>;
  /** In the order of the changes; empty when there is nothing after the position. */
  readStream(position: StreamPosition): Promise<readonly StreamRecord[]>;
  /** Where a reader that wants only later changes begins (`after`); undefined when nothing was ever written. */
  latestSequenceNumber(streamArn: string): Promise<string | undefined>;
  /** In front of what the AWS endpoint passes on: refuses, delays and counts. Not in front of streams and tables. */
  readonly gate: DatabaseGate;
  /** Behind the gate, for transactions that write. */
  readonly requestTokens: RequestTokens;
  stop(): Promise<void>;
}
