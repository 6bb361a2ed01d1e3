import * as z from 'zod';
import {
  bytesOf,
  displayName,
  lineText,
  nullableUrl,
  text,
  type UrlKinds,
  urlText,
} from './request-texts.ts';

const metadataBytesAtMost = 16 * 1024;

const protocols = ['https:', 'ipfs:', 'ar:'] as const;
const shown: UrlKinds = { protocols: [...protocols, 'data:'], dataBytesAtMost: metadataBytesAtMost };
const page: UrlKinds = { protocols, dataBytesAtMost: 0 };
const video: UrlKinds = { protocols: ['https:'], dataBytesAtMost: 0 };

export const nullable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().default(null as z.output<Schema> & null);

export const descriptionSchema = nullable(text({ most: 4_000 }));

/** A picture that programs show. */
export const imageSchema = nullableUrl(shown);

const newMediaItemSchema = z.strictObject({ type: z.enum(['audio', 'image']), value: urlText(shown) }).meta({
  id: 'MediaItemRequest',
  description: 'A picture or a recording for a contract.',
  examples: [{ type: 'image', value: 'https://images.example.com/s27-wide.png' }],
});

export const mediaSchema = z.array(newMediaItemSchema).max(20).default([]);

const valueBytesAtMost = 1_024;

/** A number has at most 330 characters if it is written without an exponent. */
const attributeValueSchema = z
  .union(
    [z.string().meta({ maxLength: valueBytesAtMost }), z.number().meta({ format: 'double' }), z.null()],
    {
      error: 'Must be a string, a number or null',
    },
  )
  .refine((value) => typeof value !== 'string' || bytesOf(value) <= valueBytesAtMost, {
    error: `At most ${valueBytesAtMost} bytes`,
  })
  .default(null)
  .describe(
    'A number must be one that a double holds exactly. Responses have it as a decimal string, and the document at `tokenURI` as a number',
  );

const newAttributeSchema = z
  .strictObject({
    trait_type: nullable(lineText(256)),
    value: attributeValueSchema,
    display_type: nullable(text({ most: 64 })),
  })
  .meta({
    id: 'AttributeRequest',
    description: 'A trait of a token.',
    examples: [{ trait_type: 'seat', value: '7' }],
  });

export const exampleMetadata = {
  name: 'Row 1, seat 7',
  image: 'https://images.example.com/seat.png',
  background_color: '#0B1F3A',
  attributes: [{ trait_type: 'seat', value: '7' }],
};

export const metadataSchema = z
  .strictObject({
    name: displayName(256),
    description: descriptionSchema,
    image: imageSchema,
    image_preview: imageSchema,
    image_thumbnail: imageSchema,
    background_color: nullable(z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour of the form #RRGGBB')),
    animation_url: imageSchema,
    youtube_url: nullableUrl(video),
    // Metadata without it is as it was before there was this field, also in the hash of a request's body.
    external_url: nullableUrl(page)
      .transform((url) => url ?? undefined)
      .optional(),
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
