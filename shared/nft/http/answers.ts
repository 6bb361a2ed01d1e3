import * as z from 'zod';
import { type Contract, mediaItemSchema } from '../collection/contract.ts';
import { type Nft, nftMetadataSchema } from '../collection/nft.ts';
import { checksummed } from '../hex.ts';
import type { Address } from '../ports/chain.ts';

const standingSchema = {
  status: z.enum(['pending', 'confirmed', 'failed']),
  created_at: z.iso.datetime(),
  failure_reason: z.string().optional().describe('Only where it failed'),
};

export const contractAnswerSchema = z.strictObject({
  address: z.string().describe('EIP-55 form'),
  name: z.string(),
  symbol: z.string(),
  description: z.string().nullable(),
  chain: z.literal('MATIC'),
  image: z.string().nullable(),
  media: z.array(mediaItemSchema),
  is_confirmed: z.boolean().describe('Whether it is on the chain for good'),
  transaction_hash: z.string(),
  ...standingSchema,
});

export const nftAnswerSchema = z.strictObject({
  id: z.string().describe('Decimal; rising, not dense'),
  is_confirmed: z.boolean().describe('Whether it is on the chain for good'),
  transaction_hash: z.string(),
  destinationn: z.string().describe('The receiver, EIP-55 form'),
  metadata: nftMetadataSchema,
  ...standingSchema,
});

const standing = ({
  status,
  failureReason,
  createdAt,
}: Pick<Contract, 'status' | 'failureReason' | 'createdAt'>) => ({
  status,
  created_at: createdAt,
  ...(failureReason === undefined ? {} : { failure_reason: failureReason }),
});

/** A Contract as callers see it (interface document, 2.1). */
export const contractAnswer = (contract: Contract): z.output<typeof contractAnswerSchema> => ({
  address: checksummed(contract.address),
  name: contract.name,
  symbol: contract.symbol,
  description: contract.description,
  chain: 'MATIC',
  image: contract.image,
  media: contract.media,
  is_confirmed: contract.status === 'confirmed',
  transaction_hash: contract.transactionHash,
  ...standing(contract),
});

/** A token as callers see it (interface document, 2.2, with its spelling of the receiver). */
export const nftAnswer = (nft: Nft): z.output<typeof nftAnswerSchema> => ({
  id: nft.tokenId,
  is_confirmed: nft.status === 'confirmed',
  transaction_hash: nft.transactionHash,
  destinationn: checksummed(nft.destination),
  metadata: nft.metadata,
  ...standing(nft),
});

const withoutNulls = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Contract metadata (ERC-7572). */
export const contractMetadata = ({ name, symbol, description, image, media }: Contract) =>
  withoutNulls({ name, symbol, description, image, ...(media.length === 0 ? {} : { media }) });

/** Token metadata (ERC-721), without what was not given. Marketplaces take a colour without its `#`. */
export const tokenMetadata = ({ metadata }: Nft) =>
  withoutNulls({
    ...metadata,
    background_color: metadata.background_color?.slice(1) ?? null,
    attributes: metadata.attributes.map(withoutNulls),
  });

export const contractUrl = (baseUrl: string, address: Address): string =>
  `${baseUrl}/api/v1/nft/contracts/${checksummed(address)}`;
