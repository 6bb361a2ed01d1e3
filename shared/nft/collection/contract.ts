import * as z from 'zod';
import { addressSchema, hexSchema } from '../hex.ts';

export const mediaItemSchema = z.object({ type: z.enum(['audio', 'image']), value: z.string() }).meta({
  id: 'MediaItem',
  description: 'A picture or a recording that belongs to a contract.',
  examples: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
});

/** A collection of one application on the stage's chain. */
export const contractSchema = z.object({
  application: z.string(),
  /** Lower case. Follows from `salt` and what is deployed, so it is known before anything is sent. */
  address: addressSchema,
  name: z.string(),
  symbol: z.string(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  media: z.array(mediaItemSchema),
  salt: hexSchema,
  /** Which Collection.sol it is made from. */
  collectionVersion: z.int(),
  /** The signer that deploys it, owns it and mints every token in it. */
  signer: z.string(),
  /** Nonce of the log entry that makes it. */
  nonce: z.int(),
  transactionHash: hexSchema,
  status: z.enum(['pending', 'confirmed', 'failed']),
  failureReason: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});
export type Contract = z.output<typeof contractSchema>;
