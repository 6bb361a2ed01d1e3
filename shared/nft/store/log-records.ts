import * as z from 'zod';
import type { SignerId } from '../transactions/entry.ts';

/** The key of a log entry (see `entryKey`), in the form that it has in a stream record. */
const recordSchema = z.object({
  dynamodb: z.object({ Keys: z.object({ pk: z.object({ S: z.string().min(1) }) }) }),
});

/**
 * The signer whose log entry changed, from a record of the transaction log's stream. @throws if the record has another
 * form.
 */
export const signerInRecord = (record: unknown): SignerId => recordSchema.parse(record).dynamodb.Keys.pk.S;
