/** Faults of the database, switched on here, that DynamoDB shows now and then. */
export interface DatabaseFaults {
  /** Share of calls that are throttled, 0 to 1; for a batch, the share of its entries. */
  readonly throttleShare: number;
  /** Share of writing calls and transactions that conflict with another transaction on an item, 0 to 1. */
  readonly conflictShare: number;
  /** Delay added to each call: half before the database sees it, half before its answer. */
  readonly delayMilliseconds: number;
  /** How long a global index does not show a write. */
  readonly indexLagMilliseconds: number;
  /** Names of tables for which every call gets an internal server error. */
  readonly tablesOutOfReach: readonly string[];
  /** Units a second for one partition key value; the rest is throttled. Absent: no limit. */
  readonly partitionLimits: PartitionLimits | null;
  /** No fault: `units` and `partitionWrites` tell what the answered calls consume. */
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

/** "Best practices for designing and using partition keys effectively in DynamoDB": the most of any one partition. */
export const awsPartitionLimits: PartitionLimits = { readUnits: 3_000, writeUnits: 1_000 };

/** A call to the database; each retry of an SDK counts as a call of its own. */
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

export interface Units {
  readonly read: number;
  readonly write: number;
}

/** Write units by table, or index as `table/index`, and by the partition key's value in DynamoDB's JSON. */
export type PartitionUnits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A gate in front of the database: it refuses, delays and counts calls. */
export interface DatabaseGate {
  readonly faults: DatabaseFaults;
  /** From the next call on. */
  setFaults(changes: Partial<DatabaseFaults>): void;
  /** Calls since the start, by caller and operation. */
  counts(): CallCounts;
  /** Capacity units by caller and table, since `countsUnits` is on. */
  units(): Readonly<Record<string, Readonly<Record<string, Units>>>>;
  /** What was written into each partition, since `countsUnits` is on. */
  partitionWrites(): PartitionUnits;
  /** Reports each call when it has ended. */
  observe(listener: (call: DatabaseCall) => void): () => void;
  /** Passes a call to the database through `forward`, or answers it itself. */
  pass(
    call: { readonly operation: string; readonly caller: string; readonly input: unknown },
    forward: (input: unknown) => Promise<DatabaseAnswer>,
  ): Promise<DatabaseAnswer>;
}
