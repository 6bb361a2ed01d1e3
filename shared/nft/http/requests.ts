import * as z from 'zod';
import {
  type Address,
  isAddress,
  writtenAddressSchema,
  writtenReceiverSchema,
  zeroAddress,
} from '../../chain/hex.ts';
import { BadRequestError } from '../../platform/errors.ts';
import { batchTokensAtMost, maxSupplyAtMost } from '../collections/limits.ts';
import {
  descriptionSchema,
  exampleMetadata,
  imageSchema,
  mediaSchema,
  metadataSchema,
  nullable,
} from './metadata-requests.ts';
import { chainName } from './request-texts.ts';
import { tokenIdSchema } from './routes.ts';

const isNotZero = (address: string): boolean => address !== zeroAddress;
const notZero = { error: 'Must not be the zero address' };

const owningAddressSchema = writtenAddressSchema.refine(isNotZero, notZero);

/** An address, or the application's identifier for a user. */
const receiverSchema = writtenReceiverSchema
  .refine(isNotZero, notZero)
  .describe('An address, or your `application_user_sub` of a user, for whom the token is then reserved');

/** Hundredths of a per cent. 1,000 is 10 %. */
const basisPoints = z.int().min(0).max(1_000);

const newRoyaltySchema = z
  .strictObject({ receiver: owningAddressSchema, basis_points: basisPoints })
  .transform(({ receiver, basis_points }) => ({ receiver, basisPoints: basis_points }))
  .meta({
    id: 'RoyaltyRequest',
    description:
      'The royalty on each sale of a token. `basis_points` are hundredths of a per cent, 1,000 at most.',
    examples: [{ receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', basis_points: 250 }],
  });

/** Unknown fields are refused, because a contract costs money and most of its fields cannot be changed later. */
export const createContractSchema = z
  .strictObject({
    name: chainName(64),
    symbol: chainName(16),
    description: descriptionSchema,
    chain: z.literal('MATIC'),
    image: imageSchema,
    media: mediaSchema,
    royalty: nullable(newRoyaltySchema),
    max_supply: z
      .int()
      .min(1)
      .max(maxSupplyAtMost)
      .optional()
      .describe('How many tokens can ever be minted. Cannot be changed later. No limit if left out'),
    transferable: z
      .boolean()
      .optional()
      .describe('Whether holders can transfer tokens (ERC-5192). Cannot be changed later. True if left out'),
    revocable: z
      .boolean()
      .optional()
      .describe(
        'Whether you can burn tokens, whoever holds them. Cannot be changed later. False if left out',
      ),
  })
  .transform(({ max_supply: maxSupply, ...contract }) => ({ ...contract, maxSupply }))
  .meta({
    id: 'ContractRequest',
    description: 'A contract to create.',
    examples: [
      {
        name: 'Season 2027',
        symbol: 'S27',
        chain: 'MATIC',
        description: 'All tickets of the season',
        image: 'https://images.example.com/s27.png',
        media: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
      },
    ],
  });
export type CreateContract = z.output<typeof createContractSchema>;

export const mintTokenSchema = z
  .strictObject({
    destination: receiverSchema,
    metadata: metadataSchema,
  })
  .meta({
    id: 'NftRequest',
    description: 'A token to mint.',
    examples: [
      {
        destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        metadata: exampleMetadata,
      },
    ],
  });
export type MintToken = z.output<typeof mintTokenSchema>;

/**
 * Refuses the collection's own address as a destination, because the collection contract could never transfer a token
 * that it owns.
 */
export const requireOtherOwner = (
  contract: Address,
  destinations: ReadonlyArray<readonly [path: string, destination: string]>,
): void => {
  const issues = destinations.flatMap(([path, destination]) =>
    destination === contract ? [{ path, message: 'Must not be the address of the contract itself' }] : [],
  );
  if (issues.length > 0) throw new BadRequestError({ issues });
};

/** The tokens of a request, which go either to addresses or to users. */
export type Receivers =
  | { readonly to: 'addresses'; readonly tokens: readonly (MintToken & { readonly destination: Address })[] }
  | { readonly to: 'users'; readonly tokens: readonly MintToken[] };

/** @throws BadRequestError if a token goes to an address and another to a user. */
export const receiversOf = (tokens: readonly MintToken[]): Receivers => {
  const isToAddress = (token: MintToken): token is MintToken & { readonly destination: Address } =>
    isAddress(token.destination);
  if (tokens.every(isToAddress)) return { to: 'addresses', tokens };
  const isFirstToAddress = tokens[0] !== undefined && isToAddress(tokens[0]);
  const other = tokens.findIndex((token) => isToAddress(token) !== isFirstToAddress);
  if (other === -1) return { to: 'users', tokens };
  const kind = isFirstToAddress ? 'an address' : 'an application_user_sub';
  const message = `Must be ${kind}, as in the tokens before it`;
  throw new BadRequestError({ issues: [{ path: `tokens[${other}].destination`, message }] });
};

export const batchBodyBytesAtMost = 256 * 1024;

export const mintBatchSchema = z
  .strictObject({ tokens: z.array(mintTokenSchema).min(1).max(batchTokensAtMost) })
  .meta({
    id: 'NftsRequest',
    description: 'The tokens of a batch, 256 KB at most.',
    examples: [
      {
        tokens: [
          {
            destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
            metadata: { name: 'Row 1, seat 8' },
          },
          {
            destination: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
            metadata: { name: 'Row 1, seat 9' },
          },
        ],
      },
    ],
  });
export type MintBatch = z.output<typeof mintBatchSchema>;

export const metadataBatchSchema = z
  .strictObject({
    from: tokenIdSchema,
    to: tokenIdSchema,
    metadata: z.array(metadataSchema).min(1).max(batchTokensAtMost),
  })
  // `!(… > 0)` is also true for NaN, so that an invalid id gets only one error.
  .refine(({ from, to, metadata }) => !(Math.abs(Number(to) - Number(from) + 1 - metadata.length) > 0), {
    path: ['metadata'],
    error: 'One for each token from `from` to `to`, both included',
  })
  .meta({
    id: 'MetadataBatchRequest',
    description: 'New metadata of tokens with consecutive ids, 256 KB at most.',
    examples: [{ from: '2', to: '3', metadata: [{ name: 'Row 2, seat 1' }, { name: 'Row 2, seat 2' }] }],
  });
export type MetadataBatch = z.output<typeof metadataBatchSchema>;

export const contractMetadataUpdateSchema = z
  .strictObject({ description: descriptionSchema, image: imageSchema, media: mediaSchema })
  .meta({
    id: 'ContractMetadataRequest',
    description: 'New metadata of a contract. Fields that are left out become empty.',
    examples: [{ description: 'All tickets of the season', image: 'https://images.example.com/s28.png' }],
  });
export type ContractMetadataUpdate = z.output<typeof contractMetadataUpdateSchema>;

export const royaltyUpdateSchema = z
  .strictObject({ receiver: owningAddressSchema.nullable(), basis_points: basisPoints.optional() })
  .refine(({ receiver, basis_points }) => receiver === null || basis_points !== undefined, {
    path: ['basis_points'],
    error: 'Required if there is a receiver',
  })
  .refine(({ receiver, basis_points = 0 }) => receiver !== null || basis_points === 0, {
    path: ['basis_points'],
    error: 'Must be 0 or left out if there is no receiver',
  })
  .transform(({ receiver, basis_points = 0 }) =>
    receiver === null ? null : { receiver, basisPoints: basis_points },
  )
  .meta({
    id: 'RoyaltyUpdate',
    description: 'The new royalty on each sale; `receiver: null` removes the royalty.',
    examples: [{ receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', basis_points: 250 }],
  });
export type RoyaltyUpdate = z.output<typeof royaltyUpdateSchema>;

export const destinationSchema = z.strictObject({ destination: receiverSchema }).meta({
  id: 'DestinationRequest',
  description: 'Where a reserved token goes.',
  examples: [{ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
});
export type DestinationRequest = z.output<typeof destinationSchema>;
