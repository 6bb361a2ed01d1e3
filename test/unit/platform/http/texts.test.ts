import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { httpFunction } from '../../../../shared/platform/http/http-function.ts';
import { operations } from '../../../../tools/openapi/operations.ts';
import { type ApiEventProps, aContext, anApiEvent } from '../../../support/ott/api-event.ts';

const echo = httpFunction({
  body: z.strictObject({
    title: z.string().optional(),
    items: z.array(z.strictObject({ value: z.string().max(5) })).optional(),
    data: z.unknown().optional(),
  }),
  asSent: ['data'],
  handler: async ({ body }) => ({ status: 200, body }),
});

const call = async (event: ApiEventProps) => {
  const { statusCode, body } = await echo(anApiEvent({ method: 'POST', ...event }), aContext());
  return { status: statusCode, json: JSON.parse(body) };
};

const base64 = (bytes: Buffer): ApiEventProps => ({ body: bytes.toString('base64'), isBase64Encoded: true });

describe('a text in a request body', () => {
  it.each([
    ['\u0000', 'Must not contain the control character U+0000'],
    ['\u0007', 'Must not contain the control character U+0007'],
    ['\u001B', 'Must not contain the control character U+001B'],
    ['\u007F', 'Must not contain the control character U+007F'],
    ['\u0085', 'Must not contain the control character U+0085'],
    ['\r', 'Must not contain the control character U+000D'],
    ['\uD800', 'Not well-formed Unicode: it contains half of a surrogate pair'],
    ['\uFFFE', 'Must not contain U+FFFE, which is not a character'],
    ['\u{1FFFF}', 'Must not contain U+1FFFF, which is not a character'],
    ['\uFFFD', 'Must not contain U+FFFD, which stands for bytes that are not UTF-8: send the text as UTF-8'],
  ])('is refused by its field if it has %j', async (character, message) => {
    const { status, json } = await call({ body: { title: 'fine', items: [{ value: `a${character}b` }] } });

    expect(status).toBe(400);
    expect(json.errors).toEqual([{ path: 'items[0].value', message }]);
  });

  it('is refused by its field if its bytes are not UTF-8', async () => {
    const latin1 = Buffer.from('{"title":"Caf\xe9"}', 'latin1');
    const asOfGateway = latin1.toString('utf8');

    for (const event of [{ body: asOfGateway }, base64(latin1)]) {
      const { status, json } = await call(event);
      expect(status).toBe(400);
      expect(json.errors).toMatchObject([
        { path: 'title', message: expect.stringContaining('send the text as UTF-8') },
      ]);
    }
  });

  it('keeps line feeds and tabs, and gets a line feed for each CR LF', async () => {
    const { json } = await call({ body: { title: 'one\r\n\r\ntwo\n\tthree' } });

    expect(json.title).toBe('one\n\ntwo\n\tthree');
  });

  it('keeps every other character', async () => {
    const title = '👩‍👩‍👧 שלום \u200Fनमस्ते\u00A0\u2028 \u{E000}';

    const { json } = await call({ body: { title } });

    expect(json.title).toBe(title);
  });

  it('is taken as it was sent in fields that are the customer’s own', async () => {
    const data = { list: ['\u0000', 'a\r\nb', '\uFFFD'], '\u0007': 1 };

    const { json } = await call({ body: { title: 'a', data } });

    expect(json.data).toEqual(data);
  });

  it('is reported once, whatever else is wrong with its field', async () => {
    const { json } = await call({
      body: { title: '\u0000', items: [{ value: 'far too long \u0000' }], unknown: { deep: '\u0000' } },
    });

    expect(json.errors.map(({ path }: { readonly path: string }) => path)).toEqual([
      'unknown',
      'title',
      'items[0].value',
    ]);
  });

  it('is not searched deeper than any field is: deep nesting is an unknown field', async () => {
    const deep = `${'['.repeat(12_000)}"\\u0000"${']'.repeat(12_000)}`;

    const { status, json } = await call({ body: `{"unknown":${deep}}` });

    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: 'unknown' }]);
  });
});

describe('a call that only looks something up and ignores unknown fields', () => {
  it('takes texts and numbers as they are sent', async () => {
    const looking = httpFunction({
      body: z.object({ id: z.string() }),
      asSent: 'all',
      handler: async ({ body }) => ({ status: 200, body }),
    });
    const body = '{"id":"\\u0000","more":{"text":"\\ufffd","number":0.1234567890123456789}}';

    const { statusCode, body: answered } = await looking(anApiEvent({ method: 'POST', body }), aContext());

    expect([statusCode, JSON.parse(answered)]).toEqual([200, { id: '\u0000' }]);
  });
});

describe('a request body', () => {
  it('may begin with a byte order mark', async () => {
    const text = '\uFEFF{"title":"a"}';

    expect(await call({ body: text })).toMatchObject({ status: 200, json: { title: 'a' } });
    expect(await call(base64(Buffer.from(text)))).toMatchObject({ status: 200, json: { title: 'a' } });
  });

  it('is refused if it has only a byte order mark', async () => {
    expect(await call({ body: '\uFEFF' })).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'body' }] },
    });
  });

  it('is refused with an unknown field, and the answer lists the fields that exist', async () => {
    const { json } = await call({ body: { titel: 'a', items: [{ valeu: 'a', value: 'b' }] } });

    expect(json.errors).toEqual([
      { path: 'items[0].valeu', message: 'Unknown field. The only field is value' },
      { path: 'titel', message: 'Unknown field. The fields are title, items and data' },
    ]);
  });
});

describe('the operations', () => {
  it('take texts as they are sent only where these are data of users, or identifiers that are looked up', () => {
    const exempt = operations.flatMap(({ operationId, asSent }) =>
      asSent === undefined ? [] : [`${operationId}: ${[asSent].flat().join(', ')}`],
    );

    expect(exempt.sort()).toEqual([
      'exchangeUserSubs: all',
      'putUserData: user_data, user_agreements',
      'readUserData: all',
      'readUserDataBatch: all',
    ]);
  });
});
