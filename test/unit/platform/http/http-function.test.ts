import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ForbiddenError, ServiceError } from '../../../../shared/platform/errors.ts';
import { type Cors, httpFunction } from '../../../../shared/platform/http/http-function.ts';
import { operationsFunction } from '../../../../shared/platform/http/operation-function.ts';
import { type ApiEventProps, aContext, anApiEvent } from '../../../support/ott/api-event.ts';

class UserNotFoundError extends ServiceError {
  readonly code = 'USER_NOT_FOUND';
}

const body = z.strictObject({
  name: z.string().max(8),
  media: z.array(z.strictObject({ type: z.enum(['audio', 'image']) })).default([]),
});

const echo = httpFunction({
  body,
  handler: async (request) => ({ status: 200, body: { ...request.body, seen: request.header('X-Thing') } }),
});

/** Reads the body, because only then is it checked. */
const answerBody = async ({ body: read }: { readonly body: unknown }) => ({ status: 200, body: read });

const failing = (error: Error, props: { errorStyle?: 'bare' | 'named'; cors?: Cors } = {}) =>
  httpFunction({
    ...props,
    handler: async () => {
      throw error;
    },
  });

const call = async (handler: typeof echo, event: ApiEventProps) => {
  const result = await handler(anApiEvent({ method: 'POST', ...event }), aContext());
  return { ...result, json: result.body === '' ? undefined : JSON.parse(result.body) };
};

describe('httpFunction', () => {
  it('passes the parsed body to the handler and finds headers in any case', async () => {
    const answer = await call(echo, { body: { name: 'a' }, headers: { 'x-tHING': '1' } });

    expect(answer).toMatchObject({ statusCode: 200, json: { name: 'a', media: [], seen: '1' } });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  });

  it.each([
    ['ends a body for curl with a newline', 'curl/8.5.0', '\n'],
    ['sends any other client the JSON alone', 'node', ''],
  ])('%s', async (_does, userAgent, end) => {
    const answer = await echo(
      anApiEvent({ method: 'POST', body: { name: 'a' }, headers: { 'User-Agent': userAgent } }),
      aContext(),
    );

    expect(answer.body).toBe(`{"name":"a","media":[]}${end}`);
  });

  it('decodes a body that API Gateway encoded as base64', async () => {
    const encoded = Buffer.from(JSON.stringify({ name: 'é' })).toString('base64');

    const answer = await call(echo, { body: encoded, isBase64Encoded: true });

    expect(answer.json.name).toBe('é');
  });

  it.each([
    ['no body', undefined, ['body']],
    ['an empty body', '', ['body']],
    ['broken JSON', '{"name":', ['body']],
    ['JSON of another kind', '[]', ['body']],
    ['null', 'null', ['body']],
    ['a missing field', {}, ['name']],
    ['a field of another type', { name: 1 }, ['name']],
    ['a field that is too long', { name: '123456789' }, ['name']],
    ['an unknown field', { name: 'a', nmae: 'b' }, ['nmae']],
    ['a wrong nested field', { name: 'a', media: [{ type: 'image' }, { type: 'film' }] }, ['media[1].type']],
    ['an unknown nested field', { name: 'a', media: [{ type: 'image', x: 1 }] }, ['media[0].x']],
    ['several at once', { media: 'x', y: 1 }, ['name', 'media', 'y']],
  ])('answers 400 and names the wrong fields: %s', async (_, sent, paths) => {
    const answer = await call(echo, sent === undefined ? {} : { body: sent });

    expect(answer).toMatchObject({ statusCode: 400, json: { status: 400, message: 'BAD_REQUEST' } });
    expect(answer.json.errors.map((issue: { path: string }) => issue.path)).toEqual(paths);
  });

  it.each([
    ['a%20b%2Fc', 'a b/c'],
    ['%C3%BC', 'ü'],
    ['a+b', 'a+b'],
    ['plain', 'plain'],
  ])('decodes %s in a path, which API Gateway passes undecoded', async (sent, read) => {
    const named = httpFunction({
      path: z.strictObject({ name: z.string() }),
      handler: async ({ path }) => ({ status: 200, body: path }),
    });

    const answer = await call(named, { path: { name: sent } });

    expect(answer.json).toEqual({ name: read });
  });

  it('answers 400 and names the path parameter that cannot be decoded', async () => {
    const named = httpFunction({
      path: z.strictObject({ name: z.string() }),
      handler: async () => ({ status: 200 }),
    });

    const answer = await call(named, { path: { name: '%E0%A4%A' } });

    expect(answer).toMatchObject({ statusCode: 400, json: { message: 'BAD_REQUEST' } });
    expect(answer.json.errors.map((issue: { path: string }) => issue.path)).toEqual(['name']);
  });

  it('names a field once, even if several things are wrong with it', async () => {
    const strict = httpFunction({
      body: z.object({
        name: z
          .string()
          .min(5, 'Too short')
          .regex(/^[a-z]+$/, 'Not a word'),
      }),
      handler: answerBody,
    });

    const answer = await call(strict, { body: { name: '1' } });

    expect(answer.json.errors).toEqual([{ path: 'name', message: 'Too short' }]);
  });

  it('names the first hundred of very many wrong fields', async () => {
    const fields = Array.from({ length: 2_000 }, (_, index) => [`field-${index}`, 1]);

    const answer = await call(echo, { body: { name: 'a', ...Object.fromEntries(fields) } });

    expect(answer.statusCode).toBe(400);
    expect(answer.json.errors).toHaveLength(100);
    expect(answer.json.errors[99]).toEqual({
      path: 'field-99',
      message: 'Unknown field. The fields are name and media',
    });
  });

  it('reports a missing field as required, at any depth, and a wrong field with the accepted values', async () => {
    const nested = httpFunction({
      body: z.object({ name: z.string(), seat: z.object({ row: z.int() }), kind: z.enum(['a', 'b']) }),
      handler: answerBody,
    });

    const answer = await call(nested, { body: { seat: {}, kind: 'c' } });

    expect(answer.json.errors).toEqual([
      { path: 'name', message: 'Required' },
      { path: 'seat.row', message: 'Required' },
      { path: 'kind', message: 'Invalid option: expected one of "a"|"b"' },
    ]);
  });

  it.each([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain; charset=utf-8' }],
    ['compressed JSON', { 'content-type': 'application/json', 'Content-Encoding': 'gzip' }],
  ])('answers 415 to %s', async (_, headers) => {
    const answer = await call(echo, { body: { name: 'a' }, headers });

    expect(answer).toMatchObject({
      statusCode: 415,
      json: { status: 415, message: 'UNSUPPORTED_MEDIA_TYPE' },
    });
  });

  it.each([
    ['without a type', {}],
    ['with a character set', { 'Content-Type': 'Application/JSON; charset=utf-8' }],
    ['that says it is not encoded', { 'content-encoding': 'identity' }],
  ])('accepts JSON %s', async (_, headers) => {
    expect(await call(echo, { body: { name: 'a' }, headers })).toMatchObject({ statusCode: 200 });
  });

  // docs/interface.md#readuserdata
  it('answers 400 instead of 415 if docs/interface.md fixes the error bodies', async () => {
    const bare = httpFunction({ body, errorStyle: 'bare', handler: answerBody });

    const answer = await call(bare, { body: {}, headers: { 'content-type': 'text/plain' } });

    expect(answer).toMatchObject({ statusCode: 400, json: { status: 400, message: 'BAD_REQUEST' } });
  });

  it('names no fields in errors if docs/interface.md fixes the error bodies', async () => {
    const bare = httpFunction({ body, errorStyle: 'bare', handler: answerBody });

    const answer = await call(bare, { body: {} });

    expect(answer.json).toEqual({ status: 400, message: 'BAD_REQUEST' });
  });

  it('names the fields in errors, with the same statuses, if docs/interface.md fixes only the statuses', async () => {
    const named = httpFunction({ body, errorStyle: 'named', handler: answerBody });

    const answers = [
      await call(named, { body: {} }),
      await call(named, { body: {}, headers: { 'content-type': 'text/plain' } }),
      await call(named, { body: 'x'.repeat(40_000) }),
    ];

    expect(answers.map(({ json }) => json)).toMatchObject(
      ['name', 'content-type', 'body'].map((path) => ({
        status: 400,
        message: 'BAD_REQUEST',
        errors: [{ path }],
      })),
    );
    const forbidden = failing(new ForbiddenError({ message: 'x' }), { errorStyle: 'named' });
    expect(await call(forbidden, {})).toMatchObject({
      statusCode: 403,
      json: { message: 'Forbidden' },
    });
  });

  it.each([
    ['detailed', undefined, { request_id: 'request-1' }],
    ['named', 'named', { request_id: 'request-1' }],
    ['bare', 'bare', {}],
  ] as const)('answers %s errors with exactly the fields of that style', async (_, errorStyle, more) => {
    const style = errorStyle === undefined ? {} : { errorStyle };
    const refusing = httpFunction({ body, ...style, handler: answerBody });
    const unknown = failing(new UserNotFoundError({ message: 'no u1' }), style);
    const forbidden = failing(new ForbiddenError({ message: 'x' }), style);
    const errors = errorStyle === 'bare' ? {} : { errors: [{ path: 'name', message: 'Required' }] };

    const answers = [await call(refusing, { body: {} }), await call(unknown, {}), await call(forbidden, {})];

    expect(answers.map(({ json }) => json)).toEqual([
      { status: 400, message: 'BAD_REQUEST', ...errors, ...more },
      { status: 404, error_fields: 'USER_NOT_FOUND', ...more },
      // A key without an application is refused as API Gateway refuses a wrong key.
      errorStyle === undefined ? { status: 403, message: 'FORBIDDEN', ...more } : { message: 'Forbidden' },
    ]);
  });

  it('answers 413 to a body above 32 KB, and accepts exactly 32 KB', async () => {
    const large = httpFunction({
      body: z.string(),
      handler: async ({ body: text }) => ({ status: 200, body: text.length }),
    });

    const fits = await call(large, { body: JSON.stringify('x'.repeat(32 * 1024 - 2)) });
    const exceeds = await call(large, { body: JSON.stringify('é'.repeat(16 * 1024)) });

    expect(fits.statusCode).toBe(200);
    expect(exceeds).toMatchObject({ statusCode: 413, json: { status: 413, message: 'PAYLOAD_TOO_LARGE' } });
  });

  it('accepts larger bodies if the operation allows them', async () => {
    const large = httpFunction({ body, bodyBytesAtMost: 64 * 1024, handler: answerBody });
    const ofBytes = (bytes: number) => `{"name":"a"}${' '.repeat(bytes - 12)}`;

    expect(await call(large, { body: ofBytes(64 * 1024) })).toMatchObject({ statusCode: 200 });
    expect(await call(large, { body: ofBytes(64 * 1024 + 1) })).toMatchObject({ statusCode: 413 });
  });

  it('answers a known error with its status, code and headers, without its message', async () => {
    const answer = await call(
      failing(new UserNotFoundError({ message: 'no u1', headers: { 'x-why': '1' } })),
      {},
    );

    expect(answer).toMatchObject({
      statusCode: 404,
      json: { status: 404, error_fields: 'USER_NOT_FOUND' },
      headers: { 'x-why': '1' },
    });
    expect(answer.body).not.toContain('no u1');
  });

  it('answers an unknown error with a generic 500 and the request id, without internal details', async () => {
    const answer = await call(failing(new Error('the table burnt down'), { cors: true }), {});

    expect(answer).toMatchObject({
      statusCode: 500,
      json: { status: 500, message: 'INTERNAL_ERROR', request_id: 'request-1' },
      headers: { 'access-control-allow-origin': '*' },
    });
    expect(answer.body).not.toContain('burnt');
  });

  describe('with CORS credentials for some origins', () => {
    const cors = { withCredentials: ['https://www.example.com', 'https://tv.example.com'] };
    const ok = httpFunction({ cors, handler: async () => ({ status: 200 }) });

    it.each(cors.withCredentials)(
      'allows the origin %s to read responses, including errors',
      async (origin) => {
        const answers = [
          await call(ok, { headers: { Origin: origin } }),
          await call(failing(new UserNotFoundError({ message: 'no u1' }), { cors }), { headers: { origin } }),
          await call(failing(new Error('the table burnt down'), { cors }), { headers: { origin } }),
        ];

        expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 500]);
        for (const { headers } of answers) {
          expect(headers).toMatchObject({
            'access-control-allow-origin': origin,
            'access-control-allow-credentials': 'true',
            'access-control-expose-headers': expect.stringMatching(/^date, .*retry-after/),
            vary: 'Origin',
          });
        }
      },
    );

    it.each([
      'https://evil.example.com',
      'https://www.example.com.evil.example',
      'http://www.example.com',
      'https://www.example.com/',
      'null',
      '*',
      '',
      undefined,
    ])('does not allow the origin %j to read responses', async (origin) => {
      const { headers } = await call(ok, origin === undefined ? {} : { headers: { origin } });

      expect(headers).toMatchObject({ vary: 'Origin' });
      expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  it('sends neither a body nor a content type if the response has no body', async () => {
    const answer = await call(httpFunction({ handler: async () => ({ status: 204 }) }), {});

    expect(answer).toMatchObject({ statusCode: 204, body: '' });
    expect(answer.headers).not.toHaveProperty('content-type');
  });
});

describe('a function of several calls', () => {
  const named = (name: string) => async () => ({ statusCode: 200, body: name });
  const several = operationsFunction([
    [{ method: 'GET', route: '/things' }, named('list')],
    [{ method: 'DELETE', route: '/things' }, named('remove')],
  ]);
  const answered = async (method: string) =>
    (await several({ ...anApiEvent({ method }), resource: '/things' }, aContext())).body;

  it('answers HEAD as the GET of the same path', async () => {
    expect(await Promise.all(['GET', 'HEAD', 'DELETE'].map(answered))).toEqual(['list', 'list', 'remove']);
    await expect(answered('PUT')).rejects.toThrow('Not an operation of this function: PUT /things');
  });
});
