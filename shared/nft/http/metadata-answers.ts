import * as z from 'zod';
import { decimalText } from '../../platform/parsing/decimals.ts';
import { withoutNulls } from '../../platform/parsing/json.ts';
import type { Contract } from '../collections/contract.ts';
import {
  attributeSchema,
  type Nft,
  type NftAttribute,
  type NftMetadata,
  nftMetadataSchema,
} from '../tokens/nft.ts';

const attributeAnswerSchema = attributeSchema
  .extend({ value: z.string().nullable().describe('A number that was sent is a decimal string') })
  .meta({
    id: 'Attribute',
    description: 'A trait of a token.',
    examples: [{ trait_type: 'seat', value: '7', display_type: null }],
  });

export const exampleMetadataAnswer = {
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

/** Contains the fields that docs/interface.md#nftmetadata calls fixed. */
export const nftMetadataAnswerSchema = nftMetadataSchema
  .extend({
    external_url: nftMetadataSchema.shape.external_url.describe('Set only if the metadata has one'),
    attributes: z.array(attributeAnswerSchema),
  })
  .meta({
    id: 'NftMetadata',
    description: 'The metadata of a token. Fields without a value are null or empty.',
    examples: [exampleMetadataAnswer],
  });

export const metadataAnswer = (metadata: NftMetadata): z.output<typeof nftMetadataAnswerSchema> => ({
  ...metadata,
  attributes: metadata.attributes.map(({ value, ...attribute }) => ({
    ...attribute,
    value: typeof value === 'number' ? decimalText(value) : value,
  })),
});

export const contractMetadataSchema = z.looseObject({ name: z.string(), symbol: z.string() }).meta({
  id: 'ContractMetadata',
  description: 'Metadata of a contract (ERC-7572). Fields without a value are left out.',
  examples: [
    {
      name: 'Season 2027',
      symbol: 'S27',
      description: 'All tickets of the season',
      image: 'https://images.example.com/s27.png',
    },
  ],
});

export const contractMetadata = ({ name, symbol, description, image, media }: Contract) =>
  withoutNulls({ name, symbol, description, image, ...(media.length === 0 ? {} : { media }) });

export const tokenMetadataSchema = z.looseObject({ name: z.string() }).meta({
  id: 'TokenMetadata',
  description: 'Metadata of a token (ERC-721). Fields without a value are left out.',
  examples: [
    {
      name: 'Row 1, seat 7',
      image: 'https://images.example.com/seat.png',
      background_color: '0B1F3A',
      attributes: [{ trait_type: 'seat', value: '7' }],
    },
  ],
});

/**
 * The display types whose values marketplaces read as numbers (OpenSea's metadata standard, "Numeric traits" and "Date
 * traits").
 */
const numericDisplayTypes: ReadonlySet<string> = new Set([
  'number',
  'boost_number',
  'boost_percentage',
  'date',
]);

/**
 * The number that a text contains. `undefined` if the text is not a decimal number, or if a double cannot represent all
 * of its digits.
 */
const exactNumber = (text: string): number | undefined => {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return String(Number(text)) === shortest ? Number(text) : undefined;
};

/** Stands for a number that `JSON.stringify` writes with these digits (ECMAScript, "JSON.parse source text access"). */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/**
 * `JSON.stringify` writes a large integer with zeros in place of its last digits. Not every reader rounds as it does.
 */
const publicNumber = (number: number): unknown =>
  Number.isInteger(number) && !Number.isSafeInteger(number) ? rawJSON(decimalText(number)) : number;

/**
 * A value that was sent as a number is a number. Its display type stays as it was sent: with one, marketplaces would
 * show the trait in another place.
 */
const publicAttribute = ({ value, ...attribute }: NftAttribute) => {
  const number =
    typeof value === 'string' && numericDisplayTypes.has(attribute.display_type ?? '')
      ? exactNumber(value)
      : undefined;
  return withoutNulls({
    ...attribute,
    value: typeof value === 'number' ? publicNumber(value) : (number ?? value),
  });
};

/** Token metadata (ERC-721) without the null fields. Marketplaces expect a colour without its `#`. */
export const tokenMetadata = ({ metadata }: Nft) =>
  withoutNulls({
    ...metadata,
    background_color: metadata.background_color?.slice(1) ?? null,
    attributes: metadata.attributes.map(publicAttribute),
  });
