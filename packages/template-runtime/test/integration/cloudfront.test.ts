import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';

const folder = '/2020-05-31/function';
const handler = 'function handler(event) { return event.request; }';
/** In bytes (Developer Guide, *Quotas on CloudFront Functions*). */
const largest = 10 * 1024;

let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startAwsEndpoint();
});
afterAll(() => endpoint.stop());

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly location: string | null;
  /** The answer's document. */
  readonly said: {
    readonly FunctionSummary?: {
      readonly Name: string;
      readonly FunctionConfig: { readonly Comment: string; readonly Runtime: string };
      readonly FunctionMetadata: { readonly FunctionARN: string; readonly Stage: string };
    };
    readonly ErrorResponse?: { readonly Error: { readonly Code: string; readonly Message: string } };
  };
}

/** A request as every AWS SDK makes it. */
const post = async (
  path: string,
  { body = '', headers = {}, accessKeyId = 'test' } = {} as {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly accessKeyId?: string;
  },
): Promise<Answer> => {
  const response = await fetch(`${endpoint.url}${path}`, {
    method: 'POST',
    body,
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/cloudfront/aws4_request, SignedHeaders=host, Signature=0`,
      ...headers,
    },
  });
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    location: response.headers.get('location'),
    said: new XMLParser().parse(await response.text()),
  };
};

const creation = ({ name = 'fn', comment = 'Refuses dots', runtime = 'cloudfront-js-2.0', code = handler }) =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<CreateFunctionRequest xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/">' +
  `<Name>${name}</Name><FunctionConfig><Comment>${comment}</Comment><Runtime>${runtime}</Runtime></FunctionConfig>` +
  `<FunctionCode>${Buffer.from(code).toString('base64')}</FunctionCode></CreateFunctionRequest>`;
const create = (options: Parameters<typeof creation>[0]) => post(folder, { body: creation(options) });
const publish = (name: string, etag?: string | null) =>
  post(`${folder}/${name}/publish`, { ...(etag && { headers: { 'if-match': etag } }) });
const refusal = ({ status, said }: Answer) => [status, said.ErrorResponse?.Error.Code];

describe('a CloudFront function', () => {
  it('is created in the stage DEVELOPMENT, and becomes LIVE when that version is published', async () => {
    const created = await create({ name: 'viewer-request', comment: 'a &amp; b' });

    const arn = 'arn:aws:cloudfront::000000000000:function/viewer-request';
    expect(created).toMatchObject({ status: 201, etag: expect.stringMatching(/^E/), location: arn });
    expect(created.said.FunctionSummary).toMatchObject({
      Name: 'viewer-request',
      FunctionConfig: { Comment: 'a & b', Runtime: 'cloudfront-js-2.0' },
      FunctionMetadata: { FunctionARN: arn, Stage: 'DEVELOPMENT' },
    });

    const published = await publish('viewer-request', created.etag);
    expect(published.status).toBe(200);
    expect(published.said.FunctionSummary).toMatchObject({
      Name: 'viewer-request',
      FunctionMetadata: { Stage: 'LIVE' },
    });
  });

  it('can be as large as the quota, but not larger', async () => {
    const filled = (bytes: number) => handler.padEnd(bytes);

    expect((await create({ name: 'largest', code: filled(largest) })).status).toBe(201);
    expect(refusal(await create({ name: 'larger', code: filled(largest + 1) }))).toEqual([
      413,
      'FunctionSizeLimitExceeded',
    ]);
  });

  it('is not created if a function of the same name exists', async () => {
    const first = await create({ name: 'twice', comment: 'first' });

    expect(refusal(await create({ name: 'twice', comment: 'second' }))).toEqual([
      409,
      'FunctionAlreadyExists',
    ]);
    const { said } = await publish('twice', first.etag);
    expect(said.FunctionSummary?.FunctionConfig.Comment).toBe('first');
  });

  it.each([
    ['without a handler', creation({ name: 'bad', code: 'function main() {}' })],
    ['with a name that has a dot', creation({ name: 'a.b' })],
    ['with a name of 65 letters', creation({ name: 'a'.repeat(65) })],
    ['with an unknown runtime', creation({ name: 'bad', runtime: 'nodejs24.x' })],
    [
      'with code that is not Base64',
      creation({ name: 'bad' }).replace(/<FunctionCode>.*?</, '<FunctionCode>?!<'),
    ],
    ['without code', creation({ name: 'bad' }).replace(/<FunctionCode>.*<\/FunctionCode>/, '')],
    ['with a body that is not XML', 'name=bad'],
  ])('is rejected %s', async (_, body) => {
    expect(refusal(await post(folder, { body }))).toEqual([400, 'InvalidArgument']);
    expect(refusal(await publish('bad', 'E1'))).toEqual([404, 'NoSuchFunctionExists']);
  });

  it('is not published unless the request names its current version', async () => {
    await create({ name: 'unnamed' });

    for (const etag of [undefined, 'E0000000000000']) {
      expect(refusal(await publish('unnamed', etag))).toEqual([400, 'InvalidIfMatchVersion']);
    }
  });

  it('is created and published only by callers whose policy allows it', async () => {
    const made = await create({ name: 'guarded' });
    const { accessKeyId } = endpoint.clientOf({
      Version: '2012-10-17',
      Statement: {
        Effect: 'Allow',
        Action: 'cloudfront:*',
        Resource: 'arn:aws:cloudfront::000000000000:function/mine',
      },
    }).credentials;
    const denied = [403, 'AccessDenied'];

    expect(refusal(await post(folder, { body: creation({ name: 'theirs' }), accessKeyId }))).toEqual(denied);
    const headers = { 'if-match': made.etag ?? '' };
    expect(refusal(await post(`${folder}/guarded/publish`, { headers, accessKeyId }))).toEqual(denied);
    expect((await post(folder, { body: creation({ name: 'mine' }), accessKeyId })).status).toBe(201);
  });

  it('supports only creation and publication', async () => {
    expect(refusal(await post(`${folder}/viewer-request/test`))).toEqual([404, 'UnknownOperationException']);
  });
});
