import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  createContractSchema,
  metadataBatchSchema,
  mintTokenSchema,
} from '../../../shared/nft/http/requests.ts';
import { contractPathSchema, tokenPathSchema } from '../../../shared/nft/http/routes.ts';
import { parseIncoming } from '../../../shared/platform/parsing/incoming.ts';

const destination = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const aContractBody = (changes: Record<string, unknown> = {}) => ({
  name: 'Fan Club',
  symbol: 'FAN',
  chain: 'MATIC',
  ...changes,
});

const aMintBody = (metadata: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) => ({
  destination,
  metadata: { name: 'Ticket', ...metadata },
  ...changes,
});

const withoutName = { symbol: 'FAN', chain: 'MATIC' };
const urlOf = (bytes: number) => `https://example.com/${'a'.repeat(bytes - 'https://example.com/'.length)}`;
const attributes = (count: number) => Array.from({ length: count }, () => ({ value: 'x' }));

/** The paths of the fields that are refused. */
const refusedIn = (schema: z.ZodType, body: unknown): readonly string[] => {
  const parsed = parseIncoming(schema, body);
  return parsed.success ? [] : parsed.mistakes.map(({ path }) => path.join('.'));
};

describe('the request body of a new contract', () => {
  it('needs neither nullable fields nor media', () => {
    expect(createContractSchema.parse(aContractBody())).toEqual({
      name: 'Fan Club',
      symbol: 'FAN',
      description: null,
      chain: 'MATIC',
      image: null,
      media: [],
      royalty: null,
    });
  });

  it.each([
    'https://example.com/a.png',
    'ipfs://bafy/1.png',
    'ar://abc',
    'data:image/png;base64,AA==',
    'DATA:Image/SVG+xml,%3Csvg/%3E',
    'data:audio/mpeg;base64,AA==',
    'data:video/mp4,x',
  ])('accepts %s as an image', (image) => {
    expect(createContractSchema.parse(aContractBody({ image })).image).toBe(image);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no name', withoutName, 'name'],
    ['an empty name', aContractBody({ name: '' }), 'name'],
    ['a name of 65 bytes', aContractBody({ name: 'n'.repeat(65) }), 'name'],
    ['a name of 33 letters that take 66 bytes', aContractBody({ name: 'é'.repeat(33) }), 'name'],
    ['a name that is no text', aContractBody({ name: 1 }), 'name'],
    ['a name with half a character', aContractBody({ name: 'a\ud800' }), 'name'],
    ['a name with a line break', aContractBody({ name: 'Fan\nClub' }), 'name'],
    ['a name with a control character', aContractBody({ name: 'Fan\u0000Club' }), 'name'],
    ['a name that turns its direction', aContractBody({ name: 'Fan \u202Ebulc' }), 'name'],
    ['a symbol that turns its direction', aContractBody({ symbol: '\u2066FAN' }), 'symbol'],
    ['a symbol of 17 bytes', aContractBody({ symbol: 's'.repeat(17) }), 'symbol'],
    ['a null symbol', aContractBody({ symbol: null }), 'symbol'],
    ['a symbol that is a list', aContractBody({ symbol: ['A'] }), 'symbol'],
    ['no symbol', { name: 'Fan Club', chain: 'MATIC' }, 'symbol'],
    ['a description that is no text', aContractBody({ description: {} }), 'description'],
    ['a description of 4,001 bytes', aContractBody({ description: 'd'.repeat(4_001) }), 'description'],
    ['another chain', aContractBody({ chain: 'ETH' }), 'chain'],
    ['no chain', { name: 'Fan Club', symbol: 'FAN' }, 'chain'],
    ...[0, 1_000_000_001, 1.5, '100', null].map((max_supply): [string, Record<string, unknown>, string] => [
      `a supply of ${JSON.stringify(max_supply)}`,
      aContractBody({ max_supply }),
      'max_supply',
    ]),
    ['a text that says whether it is transferable', aContractBody({ transferable: 'no' }), 'transferable'],
    ['a number that says whether it is revocable', aContractBody({ revocable: 1 }), 'revocable'],
    ['an image that is no URL', aContractBody({ image: 'a.png' }), 'image'],
    ['an image over http', aContractBody({ image: 'http://example.com/a.png' }), 'image'],
    ...[
      'data:text/html,<script>alert(1)</script>',
      'data:,image/png,',
      'data:text/html;image/png,x',
      'data:application/javascript,alert(1)',
      'data:image,x',
      'data:image/png',
      'data:image/,x',
      '\x01data:text/html,x',
    ].map((image): [string, Record<string, unknown>, string] => [
      `an image ${JSON.stringify(image)}`,
      aContractBody({ image }),
      'image',
    ]),
    ['an image of 2,049 bytes', aContractBody({ image: urlOf(2_049) }), 'image'],
    [
      'a medium of another type',
      aContractBody({ media: [{ type: 'video', value: urlOf(30) }] }),
      'media.0.type',
    ],
    ['a medium without a URL', aContractBody({ media: [{ type: 'audio', value: 'x' }] }), 'media.0.value'],
    ['21 media', aContractBody({ media: Array(21).fill({ type: 'image', value: urlOf(30) }) }), 'media'],
    ['media that are no list', aContractBody({ media: {} }), 'media'],
  ])('is refused with %s', (_, body, path) => {
    expect(refusedIn(createContractSchema, body)).toEqual([path]);
  });

  it('is refused with an unknown field', () => {
    expect(refusedIn(createContractSchema, aContractBody({ owner: 5 }))).toEqual(['owner']);
  });
});

describe('the request body of a mint', () => {
  it.each([destination, destination.toLowerCase(), `0x${destination.slice(2).toUpperCase()}`])(
    'accepts the destination address %s',
    (written) => {
      const parsed = mintTokenSchema.parse(aMintBody({}, { destination: written }));
      expect(parsed.destination).toBe(destination.toLowerCase());
    },
  );

  it('needs only a name as metadata', () => {
    expect(mintTokenSchema.parse(aMintBody()).metadata).toEqual({
      name: 'Ticket',
      description: null,
      image: null,
      image_preview: null,
      image_thumbnail: null,
      background_color: null,
      animation_url: null,
      youtube_url: null,
      attributes: [],
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a wrong checksum', aMintBody({}, { destination: destination.replace('5aA', '5aa') }), 'destination'],
    ['the zero address', aMintBody({}, { destination: `0x${'0'.repeat(40)}` }), 'destination'],
    ['a short address', aMintBody({}, { destination: '0x12' }), 'destination'],
    ['a number as receiver', aMintBody({}, { destination: 5 }), 'destination'],
    ['no receiver', { metadata: { name: 'Ticket' } }, 'destination'],
    ['no metadata', { destination }, 'metadata'],
    ['metadata that are a text', { destination, metadata: 'x' }, 'metadata'],
    ['no name', aMintBody({ name: undefined }), 'metadata.name'],
    ['a name that is no text', aMintBody({ name: true }), 'metadata.name'],
    ['a name of 257 characters', aMintBody({ name: 'n'.repeat(257) }), 'metadata.name'],
    ['a name of 257 flags', aMintBody({ name: '\u{1F3F4}'.repeat(257) }), 'metadata.name'],
    ['an empty name', aMintBody({ name: '' }), 'metadata.name'],
    ['a description of 4,001 bytes', aMintBody({ description: 'd'.repeat(4_001) }), 'metadata.description'],
    ['an image over http', aMintBody({ image: 'http://a.example/' }), 'metadata.image'],
    ['a preview that is no URL', aMintBody({ image_preview: 'x' }), 'metadata.image_preview'],
    ['a thumbnail that is no URL', aMintBody({ image_thumbnail: 'x' }), 'metadata.image_thumbnail'],
    ['a colour by name', aMintBody({ background_color: 'red' }), 'metadata.background_color'],
    ['a colour without #', aMintBody({ background_color: 'FFFFFF' }), 'metadata.background_color'],
    ['an animation that is no URL', aMintBody({ animation_url: 'x' }), 'metadata.animation_url'],
    [
      'an animation that is a script',
      aMintBody({ animation_url: 'javascript:alert(1)' }),
      'metadata.animation_url',
    ],
    ['a video that is no https URL', aMintBody({ youtube_url: 'ipfs://x' }), 'metadata.youtube_url'],
    ['101 attributes', aMintBody({ attributes: attributes(101) }), 'metadata.attributes'],
    ['attributes that are no list', aMintBody({ attributes: {} }), 'metadata.attributes'],
    ['a boolean as a value', aMintBody({ attributes: [{ value: true }] }), 'metadata.attributes.0.value'],
    ['a list as a value', aMintBody({ attributes: [{ value: [1] }] }), 'metadata.attributes.0.value'],
    [
      'a trait of 257 bytes',
      aMintBody({ attributes: [{ trait_type: 't'.repeat(257) }] }),
      'metadata.attributes.0.trait_type',
    ],
    [
      'over 16 KB in all',
      aMintBody({ attributes: Array.from({ length: 20 }, () => ({ value: 'v'.repeat(1_000) })) }),
      'metadata',
    ],
  ])('is refused with %s', (_, body, path) => {
    expect(refusedIn(mintTokenSchema, body)).toEqual([path]);
  });

  it.each([
    [aMintBody({}, { amount: 2 }), 'amount'],
    [aMintBody({ rarity: 'x' }), 'metadata.rarity'],
    [aMintBody({ attributes: [{ max: '1' }] }), 'metadata.attributes.0.max'],
  ])('is refused with an unknown field', (body, path) => {
    expect(refusedIn(mintTokenSchema, body)).toEqual([path]);
  });
});

describe('the request body of new metadata for consecutive tokens', () => {
  it('is rejected with only the id that is wrong, whose distance to the other is not known', () => {
    const { error } = metadataBatchSchema.safeParse({ from: 'x', to: '3', metadata: [{ name: 'A' }] });

    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['from']);
  });
});

describe('a request path', () => {
  it('accepts a contract address in any case and rejects a wrong checksum', () => {
    const parse = (contract_address: string) => contractPathSchema.safeParse({ contract_address }).success;
    expect([destination, destination.toLowerCase(), destination.replace('5aA', '5aa')].map(parse)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(['-1', '1.5', '01', 'x', '9'.repeat(40)])('rejects %s as a token id', (id) => {
    expect(tokenPathSchema.safeParse({ contract_address: destination, id }).success).toBe(false);
  });
});

describe('a name in a request body', () => {
  it.each([
    [' ', 'a space'],
    ['\u00A0\u2003', 'spaces of other widths'],
    ['\u200B\u200C\u200D\uFEFF', 'nothing that has a width'],
    ['\u200E\u200F\u061C', 'marks of direction'],
    ['\u{E0067}\u{E007F}', 'tag characters'],
    ['\u3164\u115F', 'fillers'],
    ['\u2800', 'a blank of braille'],
  ])('is rejected if it is %j (%s)', (name) => {
    expect(refusedIn(createContractSchema, aContractBody({ name }))).toEqual(['name']);
    expect(refusedIn(createContractSchema, aContractBody({ symbol: name }))).toEqual(['symbol']);
    expect(refusedIn(mintTokenSchema, aMintBody({ name }))).toEqual(['metadata.name']);
  });

  it.each(['a', '👩‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'نادي', '❤️', '١'])('is accepted if it is %s', (name) => {
    expect(mintTokenSchema.parse(aMintBody({ name })).metadata.name).toBe(name);
  });
});

describe('a description in a request body', () => {
  it('accepts line feeds and tabs, and rejects other control characters', () => {
    const described = (description: string) =>
      refusedIn(createContractSchema, aContractBody({ description }));

    expect(described('Row\t1\nRow\t2\r\n')).toEqual([]);
    for (const control of ['\u0000', '\r', '\u001B[2J', '\u007F', '\u009B']) {
      expect(described(`a${control}b`)).toEqual(['description']);
      expect(refusedIn(mintTokenSchema, aMintBody({ description: control }))).toEqual([
        'metadata.description',
      ]);
    }
  });
});
