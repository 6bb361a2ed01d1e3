/** What the database does on demand as DynamoDB does now and then. */
export interface DatabaseFaults {
  /** Share of calls that are throttled, 0 to 1; of a batch, of its entries. */
  readonly throttleShare: number;
  /** Share of writing calls and transactions that meet another transaction on an item, 0 to 1. */
  readonly conflictShare: number;
  /** What each call takes longer, half of it before the database sees the call and half of it before its answer. */
  readonly delayMilliseconds: number;
  /** For how long a global index does not know of a write. */
  readonly indexLagMilliseconds: number;
  /** Names of tables that answer every call with an error of the service's own. */
  readonly tablesOutOfReach: readonly string[];
  /** Units a second that a value of a partition key may take; what is beyond is throttled. Absent: no limit. */
  readonly partitionLimits: PartitionLimits | null;
}

export interface PartitionLimits {
  readonly readUnits: number;
  readonly writeUnits: number;
}

export const noDatabaseFaults: DatabaseFaults = {
  throttleShare: 0,
  conflictShare: 0,
  delayMilliseconds: 0,
  indexLagMilliseconds: 0,
  tablesOutOfReach: [],
  partitionLimits: null,
};

/** "Service, account, and table quotas in Amazon DynamoDB". */
export const awsPartitionLimits: PartitionLimits = { readUnits: 3_000, writeUnits: 1_000 };

/** A call of an item operation that reached the database, each repetition of an SDK for itself. */
export interface DatabaseCall {
  readonly operation: string;
  /** Name of the function, or `operator`. */
  readonly caller: string;
  /** As it came, in DynamoDB's JSON. */
  readonly input: unknown;
  readonly outcome: 'answered' | 'refused' | 'throttled' | 'conflicted';
}

export type CallCounts = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<DatabaseCall['outcome'], number>>>>>
>;

export interface DatabaseAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What stands in front of the database: it refuses and delays as it is told, and counts. */
export interface DatabaseGate {
  readonly faults: DatabaseFaults;
  /** From the next call on. */
  setFaults(changes: Partial<DatabaseFaults>): void;
  /** Calls since the start, by caller and operation. */
  counts(): CallCounts;
  /** Tells of each call when it has ended; the answer ends that. */
  observe(listener: (call: DatabaseCall) => void): () => void;
  /** Lets a call through to the database, whose answer `forward` gives for an input, or answers in its stead. */
  pass(
    call: { readonly operation: string; readonly caller: string; readonly input: unknown },
    forward: (input: unknown) => Promise<DatabaseAnswer>,
  ): Promise<DatabaseAnswer>;
}
