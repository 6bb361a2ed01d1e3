import * as z from 'zod';
import { BadRequestError } from '../../platform/errors.ts';
import { batchTokensAtMost, maxSupplyAtMost } from '../collection/limits.ts';
import { type Address, isAddress, writtenAddressSchema, writtenReceiverSchema, zeroAddress } from '../hex.ts';
import { tokenIdSchema } from './routes.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Text with a limit in UTF-8 bytes, because text is stored and billed in bytes. */
const text = ({ least = 0, most }: { readonly least?: number; readonly most: number }) =>
  z
    .string()
    .min(least, { error: 'Must not be empty' })
    // This limit on characters is for the OpenAPI document, which cannot express a limit in bytes. It refuses no text
    // that is within the byte limit, because a text never has more characters than bytes.
    .max(most, { error: `At most ${most} bytes`, abort: true })
    .refine((value) => bytesOf(value) <= most, { error: `At most ${most} bytes` })
    // A lone surrogate has no UTF-8 form and would be stored as another character.
    .refine((value) => value.isWellFormed(), { error: 'Not well-formed Unicode' });

/**
 * Matches a visible character: not a space, not a control character, and not a character that renderers may omit.
 * U+2800 is an empty braille pattern.
 */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A single-line name that is displayed as it was written: no control characters, and no characters that change the
 * direction of the text around them (Unicode Bidirectional Algorithm, explicit formatting).
 */
const nameText = ({ least = 0, most }: { readonly least?: number; readonly most: number }) =>
  text({ least, most })
    .refine((value) => !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(value), {
      error: 'No control characters, line breaks or direction overrides',
    })
    // A required text must have a visible character. If it is empty, the minimum length refuses it, not this check.
    .refine((value) => least === 0 || value === '' || visible.test(value), {
      error: 'Must contain a visible character',
    });

const urlProtocols = ['https:', 'ipfs:', 'ar:', 'data:'] as const;

/**
 * A `data:` URL may contain only an image, a sound or a video. An HTML page, for example, could run scripts in the
 * program that shows the token.
 */
const shownData = /^data:(image|audio|video)\/[^,]+,/i;

const url = (protocols: readonly string[] = urlProtocols) => {
  const which = protocols.join(', ').replace(/, data:$/, ' or data: (of an image, a sound or a video)');
  return text({ least: 1, most: 2_048 })
    .refine(
      (value) => {
        const parsed = /\s/.test(value) ? null : URL.parse(value);
        if (parsed === null || !protocols.includes(parsed.protocol)) return false;
        return parsed.protocol !== 'data:' || shownData.test(parsed.href);
      },
      { error: `Must be a URL with ${which}` },
    )
    .meta({ format: 'uri', description: `A URL with ${which}` });
};

const nullable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().default(null as z.output<Schema> & null);

const description = text({ most: 4_000 }).refine((value) => !/[^\P{Cc}\n\t]/u.test(value), {
  error: 'No control characters except line feed and tab',
});
const name = nameText({ least: 1, most: 64 });

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

const newMediaItemSchema = z.strictObject({ type: z.enum(['audio', 'image']), value: url() }).meta({
  id: 'MediaItemRequest',
  description: 'A picture or a recording for a contract.',
  examples: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
});

const media = z.array(newMediaItemSchema).max(20).default([]);

/** Unknown fields are refused, because a contract costs money and most of its fields cannot be changed later. */
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

const newAttributeSchema = z
  .strictObject({
    trait_type: nullable(nameText({ most: 256 })),
    value: nullable(text({ most: 1_024 })),
    display_type: nullable(text({ most: 64 })),
  })
  .meta({
    id: 'AttributeRequest',
    description: 'A trait of a token.',
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
    id: 'NftMetadataRequest',
    description: 'The metadata of a token, 16 KB at most.',
    examples: [exampleMetadata],
  });

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
  .strictObject({ description: nullable(description), image: nullable(url()), media })
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
