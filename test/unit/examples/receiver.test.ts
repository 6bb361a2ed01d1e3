import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Notification } from '@marquee/client/notifications';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangedUsers } from '../../../examples/receiver/changed-users.ts';
import { createReceiver } from '../../../examples/receiver/server.ts';
import { readSettings } from '../../../examples/receiver/settings.ts';
import {
  envelopedPost,
  envelopeOf,
  newSigningKey,
  operations,
  rawPost,
  type SigningKey,
  topicArn,
} from '../../../packages/client/test/support/sns.ts';

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

describe('receiver', () => {
  let server: Server;
  let url: string;
  let heard: Notification[];
  let isFull: boolean;

  beforeEach(async () => {
    heard = [];
    isFull = false;
    server = createReceiver({
      topicArn,
      form: 'raw',
      onNotification: (notification) => {
        if (isFull) throw new Error('the disk is full');
        heard.push(notification);
      },
      log: () => {},
    });
    url = await listen(server);
  });
  afterEach(() => close(server));

  const notification = {
    operation_type: 'data_update',
    application_user_sub: 'sub-1',
    date_time: '2026-11-20T09:15:02.123456',
  };

  const post = async (body: unknown, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'x-amz-sns-message-type': 'Notification',
        'x-amz-sns-message-id': 'message-1',
        'x-amz-sns-topic-arn': topicArn,
        'x-amz-sns-rawdelivery': 'true',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return response.status;
  };

  it('hears of a message once, however often it comes', async () => {
    expect(await post(notification)).toBe(200);
    expect(await post(notification)).toBe(200);
    expect(await post(notification, { 'x-amz-sns-message-id': 'message-2' })).toBe(200);

    expect(heard).toEqual([notification, notification]);
  });

  it('takes a message that it could not keep when that comes again', async () => {
    isFull = true;
    expect(await post(notification)).toBe(500);

    isFull = false;
    expect(await post(notification)).toBe(200);

    expect(heard).toEqual([notification]);
  });

  it('answers 403 to what is not for it', async () => {
    expect(await post(notification, { 'x-amz-sns-topic-arn': `${topicArn}-other` })).toBe(403);
    expect(await post(notification, { 'x-amz-sns-message-type': 'UnsubscribeConfirmation' })).toBe(403);
    expect(await post('{')).toBe(403);
    expect(await post('[]')).toBe(403);
    expect(await post({ operation_type: 'data_update' })).toBe(403);
    expect(await post('x'.repeat(100_000))).toBe(403);
    expect(heard).toEqual([]);
  });

  it('answers 403 to an envelope that SNS has not signed', async () => {
    const envelope = {
      Type: 'Notification',
      MessageId: 'message-1',
      TopicArn: topicArn,
      Message: JSON.stringify(notification),
      Timestamp: '2026-11-20T09:15:02.123Z',
      SignatureVersion: '2',
      Signature: 'AAAA',
      SigningCertURL: 'https://evil.example.com/certificate.pem',
    };

    expect(await post(envelope, { 'x-amz-sns-rawdelivery': 'false' })).toBe(403);
    expect(heard).toEqual([]);
  });

  it.each(operations)('hears of a $operation_type', async (operation) => {
    expect(await post(operation)).toBe(200);
    expect(heard).toEqual([operation]);
  });

  it('answers 404 anywhere but at its root', async () => {
    expect((await fetch(`${url}/other`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('receiver of enveloped messages', () => {
  let sns: SigningKey;
  let server: Server;
  let url: string;
  let heard: Notification[];

  beforeAll(async () => {
    sns = await newSigningKey();
  });
  beforeEach(async () => {
    const { fetch } = globalThis;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (asked, init) =>
      String(asked) === sns.certificateUrl ? new Response(sns.certificate) : fetch(asked, init),
    );
    heard = [];
    server = createReceiver({
      topicArn,
      form: 'enveloped',
      maxAgeSeconds: 300,
      onNotification: (notification) => heard.push(notification),
      log: () => {},
    });
    url = await listen(server);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await close(server);
  });

  const post = async (message: { headers: Record<string, string>; body: string }) =>
    (await fetch(url, { method: 'POST', ...message })).status;

  it.each(operations)('hears of a $operation_type once, however often it comes', async (operation) => {
    const message = envelopedPost(sns.signed(envelopeOf(operation)));

    expect([await post(message), await post(message)]).toEqual([200, 200]);
    expect(heard).toEqual([operation]);
  });

  it('answers 403 to what is forged, stale, of another topic or not signed', async () => {
    const [operation] = operations;
    const stale = new Date(Date.now() - 600_000).toISOString();
    const refused = [
      envelopedPost(sns.signed(envelopeOf(operation), { Message: JSON.stringify(operations[1]) })),
      envelopedPost(sns.signed(envelopeOf(operation, { Timestamp: stale }))),
      envelopedPost(sns.signed(envelopeOf(operation, { TopicArn: `${topicArn}-other` }))),
      envelopedPost(sns.signed(envelopeOf(operation), { SignatureVersion: '1' })),
      rawPost(operation),
    ];

    for (const message of refused) expect(await post(message)).toBe(403);
    expect(heard).toEqual([]);
  });
});

describe('changed users', () => {
  it('are read again when they change during a read, once however often', async () => {
    const waiting: (() => void)[] = [];
    let reads = 0;
    const api = createServer((_request, response) => {
      reads += 1;
      waiting.push(() =>
        response.end(
          JSON.stringify({ application_user_sub: 's', user_data: { reads }, user_agreements: [] }),
        ),
      );
      if (reads > 1) for (const answer of waiting.splice(0)) answer();
    });
    const apiUrl = await listen(api);
    const seen: unknown[] = [];
    const users = new ChangedUsers({
      apiUrl,
      apiKey: 'key',
      onUser: (_sub, user) => {
        seen.push(user?.user_data);
      },
      onError: (_sub, error) => seen.push(error),
    });

    users.changed('s');
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    for (let change = 0; change < 5; change++) users.changed('s');
    for (const answer of waiting.splice(0)) answer();
    await users.idle();

    expect(seen).toEqual([{ reads: 1 }, { reads: 2 }]);
    await close(api);
  });

  it('are read again when they change during a read that fails', async () => {
    const waiting: (() => void)[] = [];
    let reads = 0;
    const api = createServer((_request, response) => {
      reads += 1;
      if (reads > 1) {
        response.end(
          JSON.stringify({ application_user_sub: 's', user_data: { reads }, user_agreements: [] }),
        );
        return;
      }
      response.statusCode = 403;
      waiting.push(() => response.end());
    });
    const seen: unknown[] = [];
    const users = new ChangedUsers({
      apiUrl: await listen(api),
      apiKey: 'key',
      onUser: (_sub, user) => {
        seen.push(user?.user_data);
      },
      onError: () => seen.push('failed'),
    });

    users.changed('s');
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    users.changed('s');
    for (const answer of waiting) answer();
    await users.idle();

    expect(seen).toEqual(['failed', { reads: 2 }]);
    await close(api);
  });

  it('are gone when the read answers 404', async () => {
    const api = createServer((_request, response) => {
      response.statusCode = 404;
      response.end();
    });
    const seen: unknown[] = [];
    const users = new ChangedUsers({
      apiUrl: await listen(api),
      apiKey: 'key',
      onUser: (sub, user) => {
        seen.push([sub, user]);
      },
      onError: (_sub, error) => seen.push(error),
    });

    users.changed('s');
    await users.idle();

    expect(seen).toEqual([['s', undefined]]);
    await close(api);
  });
});

describe('settings', () => {
  it('have what is not named as it mostly is', () => {
    const settings = readSettings({
      TOPIC_ARN: topicArn,
      API_URL_B2B: 'https://b2b.example.com/',
      API_KEY: 'k',
    });

    expect(settings).toMatchObject({ apiUrl: 'https://b2b.example.com', port: 8080, form: 'raw' });
  });

  it('name what is missing', () => {
    expect(() => readSettings({})).toThrow(/TOPIC_ARN[\s\S]*API_URL_B2B|API_URL_B2B[\s\S]*TOPIC_ARN/);
  });
});
