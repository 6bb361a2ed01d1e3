import * as z from 'zod';
import { writtenAddressSchema, zeroAddress } from '../hex.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Text of a limited number of bytes in UTF-8, as it is stored and paid for. */
const text = ({ least = 0, most }: { readonly least?: number; readonly most: number }) =>
  z
    .string()
    .min(least, { error: 'Must not be empty' })
    // No text has more characters than bytes; the document can say characters only.
    .max(most, { error: `At most ${most} bytes`, abort: true })
    .refine((value) => bytesOf(value) <= most, { error: `At most ${most} bytes` })
    // A lone surrogate has no bytes of its own and would come back as another character.
    .refine((value) => value.isWellFormed(), { error: 'Not well-formed Unicode' });

const urlProtocols = ['https:', 'ipfs:', 'ar:', 'data:'] as const;

const url = (protocols: readonly string[] = urlProtocols) =>
  text({ least: 1, most: 2_048 })
    .refine((value) => !/\s/.test(value) && protocols.includes(URL.parse(value)?.protocol ?? ''), {
      error: `Not a URL with ${protocols.join(', ')}`,
    })
    .meta({ format: 'uri', description: `A URL with ${protocols.join(', ')}` });

/** Null when left out. */
const nullable = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().default(null as z.output<Schema> & null);

const description = text({ most: 4_000 });
const name = text({ least: 1, most: 64 });

/** What a contract is made from. Unknown fields are refused: a contract is paid for and cannot be changed. */
export const createContractSchema = z.strictObject({
  name,
  symbol: text({ least: 1, most: 16 }),
  description: nullable(description),
  chain: z.literal('MATIC'),
  image: nullable(url()),
  media: z
    .array(z.strictObject({ type: z.enum(['audio', 'image']), value: url() }))
    .max(20)
    .default([]),
});
export type CreateContract = z.output<typeof createContractSchema>;

const metadataBytesAtMost = 16 * 1024;

const metadataSchema = z
  .strictObject({
    name,
    description: nullable(description),
    image: nullable(url()),
    image_preview: nullable(url()),
    image_thumbnail: nullable(url()),
    background_color: nullable(z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour of the form #RRGGBB')),
    animation_url: nullable(url()),
    youtube_url: nullable(url(['https:'])),
    attributes: z
      .array(
        z.strictObject({
          trait_type: nullable(text({ most: 256 })),
          value: nullable(text({ most: 1_024 })),
          display_type: nullable(text({ most: 64 })),
        }),
      )
      .max(100)
      .default([]),
  })
  .refine((metadata) => bytesOf(JSON.stringify(metadata)) <= metadataBytesAtMost, {
    error: `At most ${metadataBytesAtMost} bytes in all`,
  });

/** What a token is minted from. */
export const mintTokenSchema = z.strictObject({
  destination: writtenAddressSchema.refine((address) => address !== zeroAddress, {
    error: 'The zero address can own nothing',
  }),
  metadata: metadataSchema,
});
export type MintToken = z.output<typeof mintTokenSchema>;

export const contractPathSchema = z.object({ contract_address: writtenAddressSchema });

export const tokenPathSchema = z.object({
  contract_address: writtenAddressSchema,
  id: z.string().regex(/^(0|[1-9]\d{0,14})$/, 'Not a token id: a whole number'),
});
