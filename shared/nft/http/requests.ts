import * as z from 'zod';
import { BadRequestError } from '../../errors.ts';
import { batchTokensAtMost, maxSupplyAtMost } from '../collection/limits.ts';
import { type Address, writtenAddressSchema, zeroAddress } from '../hex.ts';
import { tokenIdSchema } from './routes.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Text with a limit in UTF-8 bytes, the unit in which it is stored and billed. */
const text = ({ least = 0, most }: { readonly least?: number; readonly most: number }) =>
  z
    .string()
    .min(least, { error: 'Must not be empty' })
    // A text never has more characters than bytes; the document can only express characters.
    .max(most, { error: `At most ${most} bytes`, abort: true })
    .refine((value) => bytesOf(value) <= most, { error: `At most ${most} bytes` })
    // A lone surrogate has no UTF-8 form and would come back as another character.
    .refine((value) => value.isWellFormed(), { error: 'Not well-formed Unicode' });

/**
 * Visible characters: no spaces, and nothing that Unicode lets renderers leave out. U+2800 is braille without a dot.
 */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A single-line name that looks like what it is: no control characters, and none that change the direction of the text
 * around it (Unicode Bidirectional Algorithm, explicit formatting).
 */
const nameText = ({ least = 0, most }: { readonly least?: number; readonly most: number }) =>
  text({ least, most })
    .refine((value) => !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(value), {
      error: 'No control characters, line breaks or direction overrides',
    })
    // A text that may be empty may also be invisible; what the minimum length refuses is reported once.
    .refine((value) => least === 0 || value === '' || visible.test(value), {
      error: 'Must have a character that can be seen',
    });

const urlProtocols = ['https:', 'ipfs:', 'ar:', 'data:'] as const;

/** Data of another type, such as a page with scripts, would run in whatever shows the token. */
const shownData = /^data:(image|audio|video)\/[^,]+,/i;

const url = (protocols: readonly string[] = urlProtocols) => {
  const which = protocols.join(', ').replace(/data:$/, 'data: of an image, a sound or a video');
  return text({ least: 1, most: 2_048 })
    .refine(
      (value) => {
        const parsed = /\s/.test(value) ? null : URL.parse(value);
        if (parsed === null || !protocols.includes(parsed.protocol)) return false;
        return parsed.protocol !== 'data:' || shownData.test(parsed.href);
      },
      { error: `Not a URL with ${which}` },
    )
    .meta({ format: 'uri', description: `A URL with ${which}` });
};

/** Null when left out. */
const nullable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().default(null as z.output<Schema> & null);

const description = text({ most: 4_000 }).refine((value) => !/[^\P{Cc}\n\t]/u.test(value), {
  error: 'No control characters but line feed and tab',
});
const name = nameText({ least: 1, most: 64 });

const owningAddressSchema = writtenAddressSchema.refine((address) => address !== zeroAddress, {
  error: 'The zero address can own nothing',
});

/** Hundredths of a per cent; 10 % at most. */
const basisPoints = z.int().min(0).max(1_000);

/** The royalty of each sale, as in ERC-2981. */
const newRoyaltySchema = z
  .strictObject({ receiver: owningAddressSchema, basis_points: basisPoints })
  .transform(({ receiver, basis_points }) => ({ receiver, basisPoints: basis_points }))
  .meta({
    id: 'NewRoyalty',
    description:
      'What each sale of a token is to ask for: `basis_points` hundredths of a per cent, 1,000 at most.',
    examples: [{ receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', basis_points: 250 }],
  });

const newMediaItemSchema = z.strictObject({ type: z.enum(['audio', 'image']), value: url() }).meta({
  id: 'NewMediaItem',
  description: 'A picture or a recording that is to belong to a contract.',
  examples: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
});

const media = z.array(newMediaItemSchema).max(20).default([]);

/** The input of a contract. Unknown fields are refused: a contract costs money and cannot be changed. */
export const createContractSchema = z
  .strictObject({
    name,
    symbol: nameText({ least: 1, most: 16 }),
    description: nullable(description),
    chain: z.literal('MATIC'),
    image: nullable(url()),
    media,
    royalty: nullable(newRoyaltySchema),
    max_supply: z
      .int()
      .min(1)
      .max(maxSupplyAtMost)
      .optional()
      .describe('How many tokens are ever made, for good. Any number when left out'),
    transferable: z
      .boolean()
      .optional()
      .describe('Whether tokens can change hands, for good (ERC-5192). True when left out'),
    revocable: z
      .boolean()
      .optional()
      .describe('Whether you can burn tokens, whoever holds them, for good. False when left out'),
  })
  .transform(({ max_supply: maxSupply, ...contract }) => ({ ...contract, maxSupply }))
  .meta({
    id: 'NewContract',
    description: 'What a contract is made from.',
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

const newAttributeSchema = z
  .strictObject({
    trait_type: nullable(nameText({ most: 256 })),
    value: nullable(text({ most: 1_024 })),
    display_type: nullable(text({ most: 64 })),
  })
  .meta({
    id: 'NewAttribute',
    description: 'A trait of a token that is to be minted.',
    examples: [{ trait_type: 'seat', value: '7' }],
  });

const metadataBytesAtMost = 16 * 1024;

const exampleMetadata = {
  name: 'Row 1, seat 7',
  image: 'https://images.example.com/seat.png',
  background_color: '#0B1F3A',
  attributes: [{ trait_type: 'seat', value: '7' }],
};

export const metadataSchema = z
  .strictObject({
    name,
    description: nullable(description),
    image: nullable(url()),
    image_preview: nullable(url()),
    image_thumbnail: nullable(url()),
    background_color: nullable(z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour of the form #RRGGBB')),
    animation_url: nullable(url()),
    youtube_url: nullable(url(['https:'])),
    attributes: z.array(newAttributeSchema).max(100).default([]),
  })
  .refine((metadata) => bytesOf(JSON.stringify(metadata)) <= metadataBytesAtMost, {
    error: `At most ${metadataBytesAtMost} bytes in all`,
  })
  .meta({
    id: 'NewNftMetadata',
    description: 'What a token is to show; 16 KB in all.',
    examples: [exampleMetadata],
  });

/** The input of a token. */
export const mintTokenSchema = z
  .strictObject({
    destination: owningAddressSchema,
    metadata: metadataSchema,
  })
  .meta({
    id: 'NewNft',
    description: 'What a token is minted from.',
    examples: [
      {
        destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        metadata: exampleMetadata,
      },
    ],
  });
export type MintToken = z.output<typeof mintTokenSchema>;

/** A collection cannot move what it owns: refuses each destination that is the collection itself, by its path. */
export const requireOtherOwner = (
  contract: Address,
  destinations: ReadonlyArray<readonly [path: string, destination: Address]>,
): void => {
  const issues = destinations.flatMap(([path, destination]) =>
    destination === contract ? [{ path, message: 'The collection itself can own nothing' }] : [],
  );
  if (issues.length > 0) throw new BadRequestError({ issues });
};

/** Largest body, in bytes, of a request for many tokens. */
export const batchBodyBytesAtMost = 256 * 1024;

/** The input of a batch of tokens. */
export const mintBatchSchema = z
  .strictObject({ tokens: z.array(mintTokenSchema).min(1).max(batchTokensAtMost) })
  .meta({
    id: 'NewNfts',
    description: 'What tokens are minted from together, 256 KB in all.',
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

/** New metadata of tokens with consecutive ids. */
export const metadataBatchSchema = z
  .strictObject({
    from: tokenIdSchema,
    to: tokenIdSchema,
    metadata: z.array(metadataSchema).min(1).max(batchTokensAtMost),
  })
  .refine(({ from, to, metadata }) => Number(to) - Number(from) + 1 === metadata.length, {
    path: ['metadata'],
    error: 'One for each token from `from` to `to`, both included',
  })
  .meta({
    id: 'NewMetadataBatch',
    description: 'What tokens with consecutive ids are to show from now on, 256 KB in all.',
    examples: [{ from: '2', to: '3', metadata: [{ name: 'Row 2, seat 1' }, { name: 'Row 2, seat 2' }] }],
  });
export type MetadataBatch = z.output<typeof metadataBatchSchema>;

/** The new metadata of a contract; fields that are left out become empty. */
export const contractMetadataUpdateSchema = z
  .strictObject({ description: nullable(description), image: nullable(url()), media })
  .meta({
    id: 'NewContractMetadata',
    description: 'What a contract is to show from now on. What is left out is empty then.',
    examples: [{ description: 'All tickets of the season', image: 'https://images.example.com/s28.png' }],
  });
export type ContractMetadataUpdate = z.output<typeof contractMetadataUpdateSchema>;

/** The new royalty of each sale; none without a receiver. */
export const royaltyUpdateSchema = z
  .strictObject({ receiver: owningAddressSchema.nullable(), basis_points: basisPoints.optional() })
  .refine(({ receiver, basis_points }) => receiver === null || basis_points !== undefined, {
    path: ['basis_points'],
    error: 'Required with a receiver',
  })
  .refine(({ receiver, basis_points = 0 }) => receiver !== null || basis_points === 0, {
    path: ['basis_points'],
    error: 'Without a receiver nobody gets it',
  })
  .transform(({ receiver, basis_points = 0 }) =>
    receiver === null ? null : { receiver, basisPoints: basis_points },
  )
  .meta({
    id: 'RoyaltyUpdate',
    description: 'What each sale is to ask for from now on; `receiver: null` takes the royalty away.',
    examples: [{ receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', basis_points: 250 }],
  });
export type RoyaltyUpdate = z.output<typeof royaltyUpdateSchema>;
