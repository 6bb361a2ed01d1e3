import * as z from 'zod';
import type { SignerId } from '../../nft/entry.ts';

/** The key of the log's entries in the form of a stream, see `entryKey`. */
const recordSchema = z.object({
  dynamodb: z.object({ Keys: z.object({ pk: z.object({ S: z.string().min(1) }) }) }),
});

/** The signer of a record of the transaction log's stream. @throws for a record of another form. */
export const signerInRecord = (record: unknown): SignerId => recordSchema.parse(record).dynamodb.Keys.pk.S;
