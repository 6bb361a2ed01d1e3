/** Faults that DynamoDB shows from time to time. Here, each of them is off until it is set. */
export interface DatabaseFaults {
  /** Share of calls that are throttled, 0 to 1. In a batch, this share of the entries is throttled. */
  readonly throttleShare: number;
  /** Share of writes and transactions that conflict with another transaction, 0 to 1. */
  readonly conflictShare: number;
  /** Delay of each call: half before the database sees it, half before its response. */
  readonly delayMilliseconds: number;
  /** For how long after a write a global index does not show the write. */
  readonly indexLagMilliseconds: number;
  /** Every call that uses one of these tables gets an internal server error. */
  readonly tablesOutOfReach: readonly string[];
  /** Capacity units per second for each partition key value. Calls beyond them are throttled. `null` means no limit. */
  readonly partitionLimits: PartitionLimits | null;
  /** Whether `units` and `partitionWrites` count the units of successful calls. Counting makes no call fail. */
  readonly countsUnits: boolean;
}

export interface PartitionLimits {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Names of the tables whose partitions are limited. @default all */
  readonly tables?: readonly string[] | undefined;
}

export const noDatabaseFaults: DatabaseFaults = {
  throttleShare: 0,
  conflictShare: 0,
  delayMilliseconds: 0,
  indexLagMilliseconds: 0,
  tablesOutOfReach: [],
  partitionLimits: null,
  countsUnits: false,
};

/**
 * DynamoDB's limits for each partition ("Best practices for designing and using partition keys effectively in
 * DynamoDB").
 */
export const awsPartitionLimits: PartitionLimits = { readUnits: 3_000, writeUnits: 1_000 };

/** One call to the database. Each retry by an SDK is a separate call. */
export interface DatabaseCall {
  readonly operation: string;
  /** Name of the function that makes the call, or `operator`. */
  readonly caller: string;
  /** The call's input in DynamoDB's JSON. */
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

export interface Units {
  readonly read: number;
  readonly write: number;
}

/** Write units by table (or `table/index`), then by the partition key's value in DynamoDB's JSON. */
export type PartitionUnits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Refuses, delays and counts calls to the database. */
export interface DatabaseGate {
  readonly faults: DatabaseFaults;
  /** The changes apply from the next call on. */
  setFaults(changes: Partial<DatabaseFaults>): void;
  counts(): CallCounts;
  /** Capacity units by caller and table, counted while `countsUnits` is on. */
  units(): Readonly<Record<string, Readonly<Record<string, Units>>>>;
  /** Write units of each partition, counted while `countsUnits` is on. */
  partitionWrites(): PartitionUnits;
  /** Calls the listener when a call has ended. */
  observe(listener: (call: DatabaseCall) => void): () => void;
  /** Passes a call to the database through `forward`, or refuses the call without passing it on. */
  pass(
    call: { readonly operation: string; readonly caller: string; readonly input: unknown },
    forward: (input: unknown) => Promise<DatabaseAnswer>,
  ): Promise<DatabaseAnswer>;
}
