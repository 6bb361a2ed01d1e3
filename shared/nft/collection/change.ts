import * as z from 'zod';
import { hexSchema } from '../hex.ts';

/** A change after the deployment or mint. A contract or token stores only the last change of each of its parts. */
export const changeSchema = z.object({
  /** Nonce of the change's log entry. Of two changes, the one with the higher nonce comes later on the chain. */
  nonce: z.int(),
  transactionHash: hexSchema,
  status: z.enum(['pending', 'confirmed', 'failed']),
  failureReason: z.string().optional(),
});
export type Change = z.output<typeof changeSchema>;
