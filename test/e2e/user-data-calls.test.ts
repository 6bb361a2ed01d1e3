import { request as httpRequest } from 'node:http';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type System, startSystem } from '../support/system.ts';

let system: System;
let apiKey: string;

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
  apiKey = system.outputs.applications[0]?.api_key ?? '';
});
afterAll(() => system.dispose());

const profile = async (
  method: string,
  path: string,
  { authorization, body }: { readonly authorization?: string | undefined; readonly body?: string } = {},
) => {
  const response = await fetch(`${system.outputs.api_url_profile}${path}`, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.json() };
};

const bearer = async (form: Record<string, string>): Promise<string> => {
  const response = await fetch(`${system.outputs.oidc_issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ sub: 'anna', client_id: 'test', ...form }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return `Bearer ${access_token}`;
};

/** Exactly these bytes, or no body at all. */
const read = (body: string | Buffer | undefined, headers: Record<string, string> = { 'x-api-key': apiKey }) =>
  new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const request = httpRequest(
      `${system.outputs.api_url_b2b}/user-data/read`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });

describe('business-to-business read', () => {
  const badRequest = { status: 400, body: { status: 400, message: 'BAD_REQUEST' } };
  const notFound = { status: 404, body: { status: 404, error_fields: 'USER_NOT_FOUND' } };
  const forbidden = { status: 403, body: { message: 'Forbidden' } };
  const asking = (application_user_sub: unknown) => JSON.stringify({ application_user_sub });

  it('answers the data to the application that asks under its own identifier', async () => {
    const body = JSON.stringify({
      user_data: { is_club: 'yes', club_id: '7', email: 'anna@example.com', ключ: '\u{1f600}' },
      user_agreements: [{ id: 'terms', version: 3 }],
    });
    await profile('PUT', '/user/data', { authorization: await bearer({}), body });
    const { body: reported } = await profile('POST', '/user/reporter/application-user-sub', {
      authorization: await bearer({ client_id: system.outputs.applications[0]?.client_id ?? '' }),
    });
    const { application_user_sub } = reported as { application_user_sub: string };

    expect(await read(asking(application_user_sub))).toEqual({
      status: 200,
      body: { application_user_sub, ...JSON.parse(body) },
    });
    expect(
      await read(asking(application_user_sub), {
        'x-api-key': system.outputs.applications[1]?.api_key ?? '',
      }),
    ).toEqual(notFound);
  });

  it('answers 400 and no further key to whatever is no request', async () => {
    const bodies = [
      undefined,
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '7',
      '{}',
      asking(''),
      asking(7),
      asking(null),
      asking({ $gt: '' }),
      asking(['x']),
      '\u0000',
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.alloc(1024 * 1024, 'x'),
      asking('x'.repeat(1024 * 1024)),
      '['.repeat(30_000),
    ];

    for (const body of bodies) expect(await read(body)).toEqual(badRequest);
  });

  it('answers 404 and no further key to what is nobody’s identifier', async () => {
    const identifiers = [
      'x',
      'anna',
      "' OR 1=1 --",
      '{"$ne":null}',
      'SUB#x',
      '\u0000',
      '\ud800',
      '\u{1f600}',
      '\u202e',
      '../../',
      '00000000000000000000000000000000',
      'x'.repeat(30_000),
    ];

    for (const identifier of identifiers) expect(await read(asking(identifier))).toEqual(notFound);
  });

  it('answers 403 and no further key without a good key, whatever the body', async () => {
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'wrong' }, { authorization: apiKey }]) {
      expect(await read('{}', headers as Record<string, string>)).toEqual(forbidden);
      expect(await read('{', headers as Record<string, string>)).toEqual(forbidden);
    }
  });
});

describe('access tokens', () => {
  const unauthorized = { status: 401, body: { status: 401, message: 'UNAUTHORIZED' } };

  it('are refused when they are missing, expired, for another audience, unsigned or signed by others', async () => {
    const claims = {
      iss: system.outputs.oidc_issuer,
      aud: 'marquee',
      sub: 'anna',
      exp: Math.floor(Date.now() / 1_000) + 300,
    };
    const hmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1));
    const headers = [
      undefined,
      'Bearer',
      'Bearer x.y.z',
      await bearer({ expires_in: '-1' }),
      await bearer({ aud: 'another' }),
      `Bearer ${new UnsecuredJWT(claims).encode()}`,
      `Bearer ${hmac}`,
      `${(await bearer({})).slice(0, -4)}AAAA`,
    ];

    for (const authorization of headers) {
      expect(await profile('GET', '/user/data', { authorization })).toEqual(unauthorized);
    }
  });

  it('are good under a new key of the issuer without a restart', async () => {
    await profile('PUT', '/user/data', { authorization: await bearer({ sub: 'rotating' }), body: '{}' });

    for (let rotation = 0; rotation < 2; rotation++) {
      await fetch(`${system.outputs.oidc_issuer}/rotate`, { method: 'POST' });
      const authorization = await bearer({ sub: 'rotating' });
      expect((await profile('GET', '/user/data', { authorization })).status).toBe(200);
    }
  });

  it('give the identifier only to the client of an application', async () => {
    const answer = await profile('GET', '/user/reporter/application-user-sub', {
      authorization: await bearer({ sub: 'rotating', client_id: 'unknown' }),
    });

    expect(answer).toEqual({ status: 403, body: { status: 403, message: 'FORBIDDEN' } });
  });
});

describe('a record that nobody can read', () => {
  it('ends in the failure queue and holds up no other', async () => {
    const database = new DynamoDBClient(system.aws);
    const sqs = new SQSClient(system.aws);
    const TableName = await system.stackOutput('UsersTable');
    const QueueUrl = await system.stackOutput('FailedChangesQueueUrl');
    await database.send(new PutItemCommand({ TableName, Item: { user_sub: { S: 'poisoned' } } }));

    const failed = await vi.waitFor(
      async () => {
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
        const [message] = Messages;
        if (message === undefined) throw new Error('nothing was put aside yet');
        return message;
      },
      { timeout: 30_000, interval: 200 },
    );
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: failed.ReceiptHandle }));

    expect(JSON.parse(failed.Body ?? '')).toMatchObject({
      reason: expect.any(String),
      record: { eventName: 'INSERT', dynamodb: { Keys: { user_sub: { S: 'poisoned' } } } },
    });
  });
});
