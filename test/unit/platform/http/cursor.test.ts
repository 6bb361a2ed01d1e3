import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BadRequestError } from '../../../../shared/platform/errors.ts';
import { openCursor, sealCursor } from '../../../../shared/platform/http/cursor.ts';
import { nextLink, pageQuery } from '../../../../shared/platform/http/page-query.ts';

const secret = 'stage secret';
const scope = { list: 'contracts', filters: { application: 'a', status: undefined } };

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * In base64url, the last character of 29 bytes has four used and two unused bits. Returns it with an unused bit
 * flipped.
 */
const unusedBitsOf = (text: string): string => alphabet[alphabet.indexOf(text.at(-1) ?? '') ^ 1] ?? '';

describe('a cursor', () => {
  it('decrypts to the position that was encrypted, whatever the order of filters', () => {
    const cursor = sealCursor({
      secret,
      scope: { list: 'l', filters: { a: '1', b: '2' } },
      position: { sk: 'x' },
    });

    expect(openCursor({ secret, scope: { list: 'l', filters: { b: '2', a: '1' } }, cursor })).toEqual({
      sk: 'x',
    });
  });

  it('reveals nothing of the position and differs each time', () => {
    const one = sealCursor({ secret, scope, position: 'secret-id' });
    const two = sealCursor({ secret, scope, position: 'secret-id' });

    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('secret-id');
  });

  const cursor = sealCursor({ secret, scope, position: 1 });

  it.each([
    ['of another list', { secret, scope: { ...scope, list: 'nfts' }, cursor }],
    ['of another filter', { secret, scope: { ...scope, filters: { application: 'b' } }, cursor }],
    ['of another stage', { secret: 'other', scope, cursor }],
    ['changed', { secret, scope, cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }],
    [
      'with bits that no byte has',
      { secret, scope, cursor: `${cursor.slice(0, -1)}${unusedBitsOf(cursor)}` },
    ],
    ['with a character that decoders skip', { secret, scope, cursor: `${cursor}!` }],
    ['cut short', { secret, scope, cursor: cursor.slice(0, 8) }],
    ['with a short tag', { secret, scope, cursor: cursor.slice(0, 30) }],
    ['empty', { secret, scope, cursor: '' }],
    ['not base64', { secret, scope, cursor: '¤¤¤' }],
  ])('is rejected %s, and the error names the parameter', (_, props) => {
    const open = () => openCursor(props);

    expect(open).toThrow(BadRequestError);
    expect(open).toThrow(/^cursor: /);
  });
});

describe('pageQuery', () => {
  const schema = z.strictObject(pageQuery);

  it('has the default limit 50 and accepts 1 to 100', () => {
    expect(schema.parse({}).limit).toBe(50);
    expect(schema.parse({ limit: '1' }).limit).toBe(1);
    expect(schema.parse({ limit: '100' }).limit).toBe(100);
  });

  it.each(['0', '101', '1000', '-1', '1.5', '1e1', ' 5', '', 'ten', '0x10'])(
    'rejects the limit "%s"',
    (limit) => {
      expect(schema.safeParse({ limit }).error?.issues[0]?.path).toEqual(['limit']);
    },
  );
});

describe('nextLink', () => {
  it('keeps the query, replaces the cursor and escapes values', () => {
    const link = nextLink({
      url: 'https://x/y',
      query: { category: 'a&b', cursor: 'old', status: undefined },
      cursor: 'new',
    });

    expect(link).toEqual({ link: '<https://x/y?category=a%26b&cursor=new>; rel="next"' });
  });

  it('is absent on the last page', () => {
    expect(nextLink({ url: 'https://x', query: {}, cursor: undefined })).toEqual({});
  });
});
