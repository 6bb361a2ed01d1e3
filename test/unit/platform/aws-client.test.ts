import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AwsClientOptions, clientConfig } from '../../../shared/platform/aws/client.ts';
import { kmsClient } from '../../../shared/platform/aws/kms-client.ts';
import { secretsClient } from '../../../shared/platform/aws/secrets-client.ts';
import { isOutage } from '../../../shared/platform/outage.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { withDeadline } from '../../../shared/platform/time/deadline.ts';
import {
  type AwsCall,
  answering,
  refusing,
  silent,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';

let aws: Awaited<ReturnType<typeof startScriptedAws>>;

beforeAll(async () => {
  aws = await startScriptedAws();
});

afterEach(() => vi.useRealTimers());

afterAll(() => aws.stop());

/** A client of the SDK, configured as in the functions. */
const aClient = (options: Partial<AwsClientOptions> = {}) =>
  new DynamoDBClient(
    clientConfig({
      settings: aws.settings,
      maxAttempts: 3,
      requestTimeoutMilliseconds: 2_500,
      baseDelayMilliseconds: 1,
      ...options,
    }),
  );

const aRead = new GetItemCommand({ TableName: 'täbel', Key: { pk: { S: '1' } } });

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Computes the signature as AWS does ("Create a signed AWS API request", IAM User Guide). */
const expectedSignature = ({ headers, body }: AwsCall, signedHeaders: readonly string[], scope: string) => {
  const canonicalHeaders = signedHeaders.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const request = ['POST', '/', '', canonicalHeaders, signedHeaders.join(';'), hash(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(request)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, 'AWS4secret');
  return hmac(key, toSign).toString('hex');
};

describe('a call to an AWS service', () => {
  it('is signed with the credentials for the service and the region', async () => {
    aws.answer(answering(200, {}));

    await aClient().send(aRead);

    const [call] = aws.calls();
    if (call === undefined) throw new Error('nothing was asked');
    const { headers, body } = call;
    const [, key, scope = '', names = '', signature] =
      /Credential=(\w+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
    const signedHeaders = names.split(';');
    expect(JSON.parse(body)).toEqual({ TableName: 'täbel', Key: { pk: { S: '1' } } });
    expect(key).toBe('AKID');
    expect(scope).toMatch(/^\d{8}\/eu-central-1\/dynamodb\/aws4_request$/);
    expect(signedHeaders).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token']));
    expect(headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'x-amz-security-token': 'token',
    });
    expect(signature).toBe(expectedSignature(call, signedHeaders, scope));
  });

  it.each([
    ['is throttled', refusing('ThrottlingException')],
    ['fails', refusing('InternalServerError', {}, 500)],
    ['meets something that speaks no JSON', answering(502, '<html>')],
  ])('is retried when it %s', async (_what, first) => {
    aws.answer(first, first, answering(200, { Item: { pk: { S: '1' } } }));

    expect(await aClient().send(aRead)).toMatchObject({ Item: { pk: { S: '1' } } });
    expect(aws.calls()).toHaveLength(3);
  });

  it('fails with the error of AWS after the last retry', async () => {
    aws.answer(refusing('ThrottlingException'));

    const error = await aClient()
      .send(aRead)
      .catch((caught: unknown) => caught);

    expect(error).toMatchObject({
      name: 'ThrottlingException',
      message: 'no: ThrottlingException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400, attempts: 3 },
    });
    expect(isOutage(error)).toBe(true);
    expect(aws.calls()).toHaveLength(3);
  });

  it('is retried with the time of AWS when the local clock is wrong', async () => {
    const theirs = new Date(Date.now() + 3_600_000);
    const date = { date: theirs.toUTCString() };
    const expired = { __type: 'InvalidSignatureException', message: 'Signature expired' };
    aws.answer(answering(403, expired, date), answering(200, {}, date));
    const client = aClient();

    await client.send(aRead);
    await client.send(aRead);

    const hours = aws
      .calls()
      .map(({ headers }) => String(headers['x-amz-date']).slice(0, 'YYYYMMDDThh'.length));
    const [ours, ...corrected] = hours;
    const hourOf = (date: Date) => date.toISOString().replaceAll('-', '').slice(0, 'YYYYMMDDThh'.length);
    expect(corrected).toEqual([hourOf(theirs), hourOf(theirs)]);
    expect(ours).not.toBe(hourOf(theirs));
  });

  it('is not retried after an error that a retry would not change', async () => {
    aws.answer(refusing('ValidationException'));

    const error = await aClient()
      .send(aRead)
      .catch((caught: unknown) => caught);

    expect(error).toMatchObject({ name: 'ValidationException' });
    expect(isOutage(error)).toBe(false);
    expect(aws.calls()).toHaveLength(1);
  });

  it('reads the error code from the header if the body has none', async () => {
    aws.answer(answering(400, '', { 'x-amzn-errortype': 'AccessDeniedException:http://aws' }));

    await expect(aClient().send(aRead)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it.each([
    ['nothing comes', [silent, silent, silent], { requestTimeoutMilliseconds: 20 }, 'TimeoutError', 3],
    ['half of an answer comes', [answering(200, '{"Item":')], {}, 'SyntaxError', 1],
  ])('counts as an outage when %s', async (_what, answers, options, name, attempts) => {
    aws.answer(...answers);

    const error = await aClient(options)
      .send(aRead)
      .catch((caught) => caught);

    expect(error).toMatchObject({ name, $metadata: { attempts } });
    expect(isOutage(error)).toBe(true);
  });

  it('counts as an outage when nothing listens at the address', async () => {
    const nowhere = aClient({ settings: { ...aws.settings, endpoint: 'http://127.0.0.1:1' } });

    const error = await nowhere.send(aRead).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ $metadata: { attempts: 3 } });
    expect(isOutage(error)).toBe(true);
  });

  it.each([
    ['nothing comes', silent],
    ['the answer does not end', (outgoing: ServerResponse) => outgoing.write('{')],
  ])('is aborted at the deadline of its request when %s', async (_what, answer) => {
    const asked = Promise.withResolvers<void>();
    aws.answer((outgoing, call) => {
      answer(outgoing, call);
      asked.resolve();
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    const call = withDeadline(50, () => aClient().send(aRead)).catch((caught: unknown) => caught);
    await asked.promise;
    vi.advanceTimersByTime(50);

    expect(isOutage(await call)).toBe(true);
    expect(aws.calls()).toHaveLength(1);
  });

  it('is aborted at the deadline during the pause before a retry', async () => {
    aws.answer(refusing('InternalServerError', {}, 500));

    const call = withDeadline(500, () =>
      aClient({ baseDelayMilliseconds: 2 ** 30, maxAttempts: 9 }).send(aRead),
    );

    await expect(call).rejects.toSatisfy(isOutage);
  });
});

describe('a call to DynamoDB', () => {
  it('retries a single write that conflicted with a transaction', async () => {
    aws.answer(refusing('TransactionConflictException'), answering(200, {}));

    await documentClientOf(aws.settings).put({ TableName: 't', Item: { pk: '1' } });

    expect(aws.calls()).toHaveLength(2);
  });

  it('has the same token in a retried transaction and another token in the next transaction', async () => {
    aws.answer(refusing('InternalServerError', {}, 500), answering(200, {}));
    const client = documentClientOf(aws.settings);

    await client.transactWrite({ TransactItems: [] });
    await client.transactWrite({ TransactItems: [] });

    const [first, again, other] = aws.calls().map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('does not retry a transaction that must be written at most once', async () => {
    aws.answer(refusing('InternalServerError', {}, 500));

    const write = documentClientOf(aws.settings).transactWriteOnce({ TransactItems: [] });

    await expect(write).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(aws.calls()).toHaveLength(1);
  });
});

describe('a call to KMS', () => {
  it('signs the digest without hashing it again', async () => {
    aws.answer(answering(200, { Signature: Buffer.from('signed').toString('base64') }));
    const digest = createHash('sha256').digest();

    const signature = await kmsClient(aws.settings).signDigest('key-1', digest);

    expect(Buffer.from(signature).toString()).toBe('signed');
    expect(aws.calls()[0]?.headers['x-amz-target']).toBe('TrentService.Sign');
    expect(JSON.parse(aws.calls()[0]?.body ?? '')).toEqual({
      KeyId: 'key-1',
      Message: digest.toString('base64'),
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    });
  });
});

describe('a call to Secrets Manager', () => {
  it('fails for a secret that is not text', async () => {
    aws.answer(answering(200, { SecretBinary: 'AA==' }));

    await expect(secretsClient({ settings: aws.settings }).read('a')).rejects.toThrow('SecretString');
  });
});
