import * as z from 'zod';
import { type Address, checksummed } from '../../chain/hex.ts';
import { type Contract, mediaItemSchema } from '../collections/contract.ts';
import type { PartChange } from '../collections/part-change.ts';
import type { OwnerAtBlock } from '../ports/token-owners.ts';
import { applicationUserSubOf, unminted } from '../reservations/stand-in.ts';
import { type BurnField, burnFields } from '../tokens/gone.ts';
import type { Nft } from '../tokens/nft.ts';
import { nftStatusSchema } from '../tokens/status.ts';
import { exampleMetadataAnswer, metadataAnswer, nftMetadataAnswerSchema } from './metadata-answers.ts';

const standingSchema = {
  status: z.enum(['pending', 'confirmed', 'failed']),
  created_at: z.iso.datetime(),
  failure_reason: z.string().optional().describe('Set only if `status` is `failed`'),
};

const nftStandingSchema = {
  ...standingSchema,
  status: nftStatusSchema,
  failure_reason: z
    .string()
    .optional()
    .describe('Set only if `status` is `failed`, or if it is `reserved` and the last claim failed'),
};

const changeStandingSchema = {
  is_confirmed: z.boolean().describe('Whether the change is final on the chain'),
  transaction_hash: z.string(),
  status: z.enum(['pending', 'confirmed', 'failed']),
};

const royaltyAnswerSchema = z
  .strictObject({
    receiver: z.string().nullable().describe('EIP-55 form; null if the royalty was removed'),
    basis_points: z.int().describe('Hundredths of a per cent of the price'),
    ...changeStandingSchema,
    failure_reason: z
      .string()
      .optional()
      .describe('Set only if the change failed. The previous royalty then stays valid on the chain'),
  })
  .meta({
    id: 'Royalty',
    description: 'The royalty on each sale of a token (ERC-2981).',
    examples: [
      {
        receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        basis_points: 250,
        is_confirmed: true,
        transaction_hash: '0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f',
        status: 'confirmed',
      },
    ],
  });

const metadataUpdateSchema = z
  .strictObject({
    ...changeStandingSchema,
    failure_reason: z
      .string()
      .optional()
      .describe(
        'Set only if the transaction failed: the new metadata is served, but its change was not announced on the chain',
      ),
  })
  .meta({
    id: 'MetadataUpdate',
    description: 'The last change of the metadata, with the transaction that announces it.',
    examples: [
      {
        is_confirmed: true,
        transaction_hash: '0x7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b',
        status: 'confirmed',
      },
    ],
  });

const revocationSchema = z
  .strictObject({
    ...changeStandingSchema,
    failure_reason: z
      .string()
      .optional()
      .describe('Set only if the revocation failed: the token is unchanged'),
  })
  .meta({
    id: 'Revocation',
    description: 'The revocation of the token, with the transaction that burns it.',
    examples: [
      {
        is_confirmed: false,
        transaction_hash: '0x7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b',
        status: 'pending',
      },
    ],
  });

const metadataUpdateField = metadataUpdateSchema
  .optional()
  .describe('Set only if the metadata was changed after the mint or deployment');

export const contractAnswerSchema = z
  .strictObject({
    address: z.string().describe('EIP-55 form'),
    name: z.string(),
    symbol: z.string(),
    description: z.string().nullable(),
    chain: z.literal('MATIC'),
    image: z.string().nullable(),
    media: z.array(mediaItemSchema),
    royalty: royaltyAnswerSchema.nullable().describe('Null if no royalty was ever set'),
    max_supply: z
      .int()
      .optional()
      .describe('As requested when the contract was created; absent means no limit'),
    transferable: z
      .boolean()
      .optional()
      .describe('As requested when the contract was created; absent means true'),
    revocable: z
      .boolean()
      .optional()
      .describe('As requested when the contract was created; absent means false'),
    metadata_update: metadataUpdateField,
    is_confirmed: z.boolean().describe('Whether the contract is final on the chain'),
    transaction_hash: z.string(),
    ...standingSchema,
  })
  .meta({
    id: 'Contract',
    description: 'A collection of tokens, which is one contract on the chain.',
    examples: [
      {
        address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        name: 'Season 2027',
        symbol: 'S27',
        description: 'All tickets of the season',
        chain: 'MATIC',
        image: 'https://images.example.com/s27.png',
        media: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
        royalty: null,
        is_confirmed: false,
        transaction_hash: '0x2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b8f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f',
        status: 'pending',
        created_at: '2026-11-20T09:15:02.123Z',
      },
    ],
  });

const exampleToken = {
  id: '1',
  is_confirmed: true,
  transaction_hash: '0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b',
  destinationn: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  metadata: exampleMetadataAnswer,
  status: 'confirmed',
  created_at: '2026-11-20T09:15:04.456Z',
};

export const nftAnswerSchema = z
  .strictObject({
    id: z.string().describe('Decimal. The ids of a contract’s tokens increase, but may have gaps'),
    is_confirmed: z.boolean().describe('Whether the token is final on the chain'),
    transaction_hash: z.string().describe('Empty while the token is reserved'),
    destinationn: z
      .string()
      .describe(
        'The address that the token was minted to, in EIP-55 form. While the token is reserved, your identifier for the user; empty if the user was removed while a claim that has failed was under way',
      ),
    metadata: nftMetadataAnswerSchema,
    metadata_update: metadataUpdateField,
    revocation: revocationSchema.optional().describe('Set only if a revocation was requested'),
    ...nftStandingSchema,
  })
  .meta({
    id: 'Nft',
    description: 'A token of a contract.',
    examples: [exampleToken],
  });

export const ownerAnswerSchema = z
  .strictObject({
    owner: z.string().describe('EIP-55 form'),
    block_number: z
      .int()
      .describe('The block at which the owner was read. It is the newest block, which need not be final'),
    as_of: z.iso.datetime().describe('The time of the block `block_number`'),
  })
  .meta({
    id: 'TokenOwner',
    description: 'The owner of a token at a block.',
    examples: [
      {
        owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        block_number: 79_120_345,
        as_of: '2026-11-20T09:15:04.000Z',
      },
    ],
  });

export const nftListAnswerSchema = z
  .strictObject({ tokens: z.array(nftAnswerSchema).describe('Ordered by id') })
  .meta({ id: 'Nfts', description: 'Tokens of a contract.', examples: [{ tokens: [exampleToken] }] });

export const nftBatchAnswerSchema = z
  .strictObject({
    transaction_hash: z
      .string()
      .describe('The one transaction that mints all the tokens. Empty if they are reserved'),
    tokens: z.array(nftAnswerSchema).describe('In the order of the request'),
  })
  .meta({
    id: 'NftBatch',
    description: 'Tokens that were minted in one transaction.',
    examples: [
      {
        transaction_hash: exampleToken.transaction_hash,
        tokens: [exampleToken, { ...exampleToken, id: '2' }],
      },
    ],
  });

const standing = <Status extends Nft['status']>({
  status,
  failureReason,
  createdAt,
}: Pick<Nft, 'failureReason' | 'createdAt'> & { readonly status: Status }) => ({
  status,
  created_at: createdAt,
  failure_reason: failureReason,
});

const changeStanding = ({
  status,
  transactionHash,
  failureReason,
}: Pick<PartChange, 'status' | 'transactionHash' | 'failureReason'>) => ({
  is_confirmed: status === 'confirmed',
  transaction_hash: transactionHash,
  status,
  failure_reason: failureReason,
});

const metadataUpdate = ({ metadataChange }: { readonly metadataChange?: PartChange | undefined }) =>
  metadataChange === undefined ? {} : { metadata_update: changeStanding(metadataChange) };

/** The latest royalty with its status. A royalty set at the deployment has the status of the contract. */
const royaltyAnswer = (contract: Contract): z.output<typeof royaltyAnswerSchema> | null => {
  const { royalty, ...standing } = contract.royaltyChange ?? contract;
  if (royalty === null && contract.royaltyChange === undefined) return null;
  return {
    receiver: royalty === null ? null : checksummed(royalty.receiver),
    basis_points: royalty?.basisPoints ?? 0,
    ...changeStanding(standing),
  };
};

/** Contains the fields that docs/interface.md#contract calls fixed. */
export const contractAnswer = (contract: Contract): z.output<typeof contractAnswerSchema> => ({
  address: checksummed(contract.address),
  name: contract.name,
  symbol: contract.symbol,
  description: contract.description,
  chain: 'MATIC',
  image: contract.image,
  media: contract.media,
  royalty: royaltyAnswer(contract),
  max_supply: contract.maxSupply,
  transferable: contract.transferable,
  revocable: contract.revocable,
  ...metadataUpdate(contract),
  is_confirmed: contract.status === 'confirmed',
  transaction_hash: contract.transactionHash,
  ...standing(contract),
});

/** Whether the token is reserved, or was revoked while it was. */
export const isUnminted = ({ destination, reservedFor }: Nft): boolean => destination === reservedFor;

const transactionHashIn = ({ transactionHash }: Nft): string =>
  transactionHash === unminted.transactionHash ? '' : transactionHash;

/** The field of the answer that shows the last burn of each kind. */
const shownBurns: Readonly<Record<BurnField, keyof z.output<typeof nftAnswerSchema>>> = {
  revocation: 'revocation',
};

const burnAnswers = (nft: Nft) =>
  Object.fromEntries(
    burnFields.flatMap((field) => {
      const change = nft[field];
      return change === undefined ? [] : [[shownBurns[field], changeStanding(change)]];
    }),
  );

/** Contains the fields that docs/interface.md#nft calls fixed, also `destinationn` with two n. */
export const nftAnswer = (nft: Nft): z.output<typeof nftAnswerSchema> => ({
  id: nft.tokenId,
  is_confirmed: nft.status === 'confirmed',
  transaction_hash: transactionHashIn(nft),
  destinationn: isUnminted(nft) ? applicationUserSubOf(nft.destination) : checksummed(nft.destination),
  metadata: metadataAnswer(nft.metadata),
  ...metadataUpdate(nft),
  ...burnAnswers(nft),
  ...standing(nft),
});

export const ownerAnswer = ({
  owner,
  blockNumber,
  at,
}: OwnerAtBlock & { readonly owner: Address }): z.output<typeof ownerAnswerSchema> => ({
  owner: checksummed(owner),
  block_number: blockNumber,
  as_of: new Date(at).toISOString(),
});

export const nftBatchAnswer = (nfts: readonly Nft[]): z.output<typeof nftBatchAnswerSchema> => ({
  transaction_hash: nfts[0] === undefined ? '' : transactionHashIn(nfts[0]),
  tokens: nfts.map(nftAnswer),
});

export const contractUrl = (baseUrl: string, address: Address): string =>
  `${baseUrl}/api/v1/nft/contracts/${checksummed(address)}`;
