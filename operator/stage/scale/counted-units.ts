import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** The resources that one function used for one call. */
const functionSchema = z.object({
  calls: z.number(),
  megabytes: z.number(),
  /** The 10th percentile of the function's duration on the bench's machine, which other programs disturb least. */
  milliseconds: z.number(),
  /** Calls to AWS services in one call of the function. */
  serviceCalls: z.number(),
});

const countedSchema = z.object({
  requests: z.number(),
  /** The size of the responses, including headers. */
  bytesOut: z.number(),
  logBytes: z.number(),
  read: z.number(),
  write: z.number(),
  signatures: z.number(),
  published: z.number(),
  delivered: z.number(),
  queueCalls: z.number(),
  functions: z.record(z.string(), functionSchema),
  /** Write units by table, including its indexes. */
  writes: z.record(z.string(), z.number()),
  /** Write units of the busiest partition of each table and index. The key of an index is `table/index`. */
  partitions: z.record(z.string(), z.number()),
});
export type Counted = z.output<typeof countedSchema>;

const fileSchema = z.object({
  /** Each entry is for one call: one mint, one change, one list and so on. */
  mint: countedSchema,
  mintWithKey: countedSchema,
  /** One call that mints a batch of 95 tokens. */
  batch: countedSchema,
  change: countedSchema,
  batchRead: countedSchema,
  read: countedSchema,
  list: countedSchema,
  listWithLogin: countedSchema,
  stream: countedSchema,
  /** At Polygon's prices. */
  gas: z.object({ mint: z.number(), batch: z.number() }),
  /** Read units of one query for the latest events of an index partition. */
  listQueryUnits: z.number(),
});
export type CountedUnits = z.output<typeof fileSchema>;

export const countedFile = fileURLToPath(new URL('counted-units.json', import.meta.url));

/** How a function's duration on Lambda is estimated from its duration on the bench's machine. */
const lambdaTime = {
  /** Multiplies the processor time: a function of 512 MB to 1 GB has only a share of a processor. */
  processorFactor: 2,
  /** Added for each call to an AWS service. */
  callMilliseconds: 8,
} as const;

/** Added to durations for each call to the entitlement service, whose substitute in the bench answers immediately. */
export const entitlementMilliseconds = 80;

export const lambdaMilliseconds = (
  { milliseconds, serviceCalls }: Counted['functions'][string],
  waitMilliseconds = 0,
): number =>
  milliseconds * lambdaTime.processorFactor + serviceCalls * lambdaTime.callMilliseconds + waitMilliseconds;

/** The gas price on Polygon that costs are reckoned with. */
export const gasGwei = 30;

/** The units that the last run of `npm run bench -- cost` wrote. */
export const countedUnits = (): CountedUnits =>
  fileSchema.parse(JSON.parse(readFileSync(countedFile, 'utf8')));
