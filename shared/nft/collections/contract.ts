import * as z from 'zod';
import { addressSchema, hexSchema } from '../../chain/hex.ts';
import { storedStatusSchema } from '../tokens/status.ts';
import { changeSchema } from './part-change.ts';

export const mediaItemSchema = z.object({ type: z.enum(['audio', 'image']), value: z.string() }).meta({
  id: 'MediaItem',
  description: 'A picture or a recording that belongs to a contract.',
  examples: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
});

export const royaltySchema = z.object({
  receiver: addressSchema,
  /** Hundredths of a per cent of the sale price. */
  basisPoints: z.int(),
});

const royaltyChangeSchema = changeSchema.extend({
  /** `null` if the royalty was removed. */
  royalty: royaltySchema.nullable(),
});
export type RoyaltyChange = z.output<typeof royaltyChangeSchema>;

export const contractSchema = z.object({
  applicationId: z.string(),
  /**
   * Lower case. Depends only on `salt` and the deployed code and options (CREATE2), so the address is known before
   * anything is sent.
   */
  address: addressSchema,
  name: z.string(),
  symbol: z.string(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  /** Without items of types that only a later release knows. */
  media: z
    .array(mediaItemSchema.nullable().catch(null))
    .transform((items) => items.filter((item) => item !== null)),
  /** The royalty that was set at the deployment. A royalty that was set later is in `royaltyChange`. */
  royalty: royaltySchema.nullable(),
  royaltyChange: royaltyChangeSchema.optional(),
  /** The options as the caller sent them. `CollectionOptions` documents their defaults. */
  maxSupply: z.int().optional(),
  transferable: z.boolean().optional(),
  revocable: z.boolean().optional(),
  metadataChange: changeSchema.optional(),
  salt: hexSchema,
  collectionVersion: z.int(),
  /** The signer that deploys the collection, owns it and mints its tokens. */
  signer: z.string(),
  nonce: z.int(),
  transactionHash: hexSchema,
  status: storedStatusSchema,
  failureReason: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});
export type Contract = z.output<typeof contractSchema>;
