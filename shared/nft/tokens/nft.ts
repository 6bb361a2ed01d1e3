import * as z from 'zod';
import { type Address, addressSchema, hexSchema } from '../../chain/hex.ts';
import { changeSchema } from '../collections/part-change.ts';
import { storedNftStatusSchema } from './status.ts';

/**
 * A trait of a token. A value that the caller sent as a number stays a number: the public document has it as one, and
 * marketplaces show such a trait with its range.
 */
export const attributeSchema = z.object({
  trait_type: z.string().nullable(),
  value: z.union([z.string(), z.number(), z.null()]),
  display_type: z.string().nullable(),
});
export type NftAttribute = z.output<typeof attributeSchema>;

/** Fields that the caller left out are null or empty, but for `external_url`, which is absent. */
export const nftMetadataSchema = z.object({
  name: z.string(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  image_preview: z.string().nullable(),
  image_thumbnail: z.string().nullable(),
  background_color: z.string().nullable(),
  animation_url: z.string().nullable(),
  youtube_url: z.string().nullable(),
  external_url: z.string().optional(),
  attributes: z.array(attributeSchema),
});

export type NftMetadata = z.output<typeof nftMetadataSchema>;

export interface CollectionKey {
  readonly applicationId: string;
  readonly contract: Address;
}

export interface NftKey extends CollectionKey {
  readonly tokenId: string;
}

export const nftSchema = z.object({
  applicationId: z.string(),
  contract: addressSchema,
  /** A decimal number. A contract's token ids are unique and ascending, but may have gaps. */
  tokenId: z.string(),
  /** The address to which the token is minted. A reserved token has the user's stand-in (see `standInOf`). */
  destination: addressSchema,
  /** The stand-in of the user for whom the token is or was reserved. Absent if it was minted without a reservation. */
  reservedFor: addressSchema.optional(),
  /**
   * A hash of the user's registration and the contract (see `reservationHolder`), as long as the token is reserved or its
   * claim is pending.
   */
  holder: z.string().optional(),
  /** Counts the changes of a reserved token. A write succeeds only if the stored version is the one that was read. */
  version: z.int().optional(),
  metadata: nftMetadataSchema,
  metadataChange: changeSchema.optional(),
  /** The latest revocation. After a failed revocation, the token can be revoked again. */
  revocation: changeSchema.optional(),
  /** -1 while the token is reserved. */
  nonce: z.int(),
  /** `0x` while the token is reserved. */
  transactionHash: hexSchema,
  status: storedNftStatusSchema,
  failureReason: z.string().optional(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /**
   * Set if its history has lines since its creation. Nobody knows who gave an earlier token to whom, or when it was void,
   * before its first line.
   */
  hasHistory: z.literal(true).optional().catch(undefined),
});
export type Nft = z.output<typeof nftSchema>;
