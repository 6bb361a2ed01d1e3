import * as z from 'zod';
import { type Address, addressSchema, hexSchema } from '../hex.ts';
import { changeSchema } from './change.ts';

export const attributeSchema = z
  .object({
    trait_type: z.string().nullable(),
    value: z.string().nullable(),
    display_type: z.string().nullable(),
  })
  .meta({
    id: 'Attribute',
    description: 'A trait of a token.',
    examples: [{ trait_type: 'seat', value: '7', display_type: null }],
  });

/** The contents of a token or contract that the document describes. */
export const exampleMetadata = {
  name: 'Row 1, seat 7',
  description: null,
  image: 'https://images.example.com/seat.png',
  image_preview: null,
  image_thumbnail: null,
  background_color: '#0B1F3A',
  animation_url: null,
  youtube_url: null,
  attributes: [{ trait_type: 'seat', value: '7', display_type: null }],
};

/** The names are the interface document's (2.3); fields that the caller left out are null or empty. */
export const nftMetadataSchema = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    image: z.string().nullable(),
    image_preview: z.string().nullable(),
    image_thumbnail: z.string().nullable(),
    background_color: z.string().nullable(),
    animation_url: z.string().nullable(),
    youtube_url: z.string().nullable(),
    attributes: z.array(attributeSchema),
  })
  .meta({
    id: 'NftMetadata',
    description: 'What a token shows; what was not given is null or empty.',
    examples: [exampleMetadata],
  });

export type NftMetadata = z.output<typeof nftMetadataSchema>;

export interface CollectionKey {
  readonly application: string;
  readonly contract: Address;
}

/** A token of a collection, minted or about to be. */
export const nftSchema = z.object({
  application: z.string(),
  contract: addressSchema,
  /** Decimal. Unique and rising within its contract, but with gaps. */
  tokenId: z.string(),
  destination: addressSchema,
  metadata: nftMetadataSchema,
  /** The last change of its metadata, if there was one. */
  metadataChange: changeSchema.optional(),
  /** Its revocation, if it was revoked; one that failed can be followed by another. */
  revocation: changeSchema.optional(),
  /** Nonce of the log entry that mints it. */
  nonce: z.int(),
  transactionHash: hexSchema,
  status: z.enum(['pending', 'confirmed', 'failed']),
  failureReason: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});
export type Nft = z.output<typeof nftSchema>;
