import * as z from 'zod';
import { hexSchema } from '../../chain/hex.ts';
import { storedStatusSchema } from '../tokens/status.ts';

/**
 * A change to a contract or token after its deployment or mint. The contract or token stores only the latest change of
 * each of its parts, such as the metadata or the royalty.
 */
export const changeSchema = z.object({
  /** The nonce of the change's log entry. The chain executes changes in the order of their nonces. */
  nonce: z.int(),
  transactionHash: hexSchema,
  status: storedStatusSchema,
  failureReason: z.string().optional(),
});
export type PartChange = z.output<typeof changeSchema>;

/** The fields of a contract or token that have the last change of one of its parts. */
export type ChangeField<Item> = {
  [Field in keyof Item]-?: NonNullable<Item[Field]> extends PartChange ? Field : never;
}[keyof Item];
