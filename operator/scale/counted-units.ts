import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** What one function did for one call. */
const functionSchema = z.object({
  calls: z.number(),
  megabytes: z.number(),
  /** Of one call of it here: nine of ten took longer. */
  milliseconds: z.number(),
  /** Calls of AWS services in one call of it. */
  serviceCalls: z.number(),
});

const countedSchema = z.object({
  requests: z.number(),
  /** Of the answers as they are sent, and their headers. */
  bytesOut: z.number(),
  logBytes: z.number(),
  read: z.number(),
  write: z.number(),
  signatures: z.number(),
  published: z.number(),
  delivered: z.number(),
  queueCalls: z.number(),
  functions: z.record(z.string(), functionSchema),
  /** Write units by table, its indexes too. */
  writes: z.record(z.string(), z.number()),
  /** Write units of the busiest partition of a table, or of an index as `table/index`. */
  partitions: z.record(z.string(), z.number()),
});
export type Counted = z.output<typeof countedSchema>;

const fileSchema = z.object({
  /** Each for one: a mint, a change, a list and so on. */
  mint: countedSchema,
  mintWithKey: countedSchema,
  /** Of a batch of 95. */
  batch: countedSchema,
  change: countedSchema,
  batchRead: countedSchema,
  read: countedSchema,
  list: countedSchema,
  listWithLogin: countedSchema,
  stream: countedSchema,
  gas: z.object({ mint: z.number(), batch: z.number() }),
  /** Read units of one query for the newest events of an index partition. */
  listQueryUnits: z.number(),
});
export type CountedUnits = z.output<typeof fileSchema>;

export const countedFile = fileURLToPath(new URL('counted-units.json', import.meta.url));

/** How Lambda's time there is put together from what is counted on the machine of the bench. */
const lambdaTime = {
  /** Processor time, by the share of a processor that a function of 512 MB to 1 GB has. */
  processorFactor: 2,
  /** Of each call of an AWS service. */
  callMilliseconds: 8,
} as const;

/** The entitlement service answers the bench at once. */
export const entitlementMilliseconds = 80;

export const lambdaMilliseconds = (
  { milliseconds, serviceCalls }: Counted['functions'][string],
  waitMilliseconds = 0,
): number =>
  milliseconds * lambdaTime.processorFactor + serviceCalls * lambdaTime.callMilliseconds + waitMilliseconds;

/** As the last run of `npm run bench -- cost` left them. */
export const countedUnits = (): CountedUnits =>
  fileSchema.parse(JSON.parse(readFileSync(countedFile, 'utf8')));
