import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Notification } from '@marquee/client/notifications';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangedUsers } from '../../../examples/receiver/changed-users.ts';
import { createReceiver } from '../../../examples/receiver/server.ts';
import { readSettings } from '../../../examples/receiver/settings.ts';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:changes';
const snsHost = 'sns.us-east-1.amazonaws.com';

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
      snsHost,
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

  it('answers 403 to an unsigned message where signed ones were agreed upon', async () => {
    await close(server);
    server = createReceiver({
      topicArn,
      snsHost,
      form: 'enveloped',
      onNotification: (each) => heard.push(each),
      log: () => {},
    });
    url = await listen(server);

    expect(await post(notification)).toBe(403);
    expect(heard).toEqual([]);
  });

  it('answers 404 anywhere but at its root', async () => {
    expect((await fetch(`${url}/other`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
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
  it('expect SNS in the region of the topic', () => {
    const settings = readSettings({
      TOPIC_ARN: topicArn,
      API_URL_B2B: 'https://b2b.example.com/',
      API_KEY: 'k',
    });

    expect(settings).toMatchObject({ snsHost, apiUrl: 'https://b2b.example.com', port: 8080 });
  });

  it('name what is missing', () => {
    expect(() => readSettings({})).toThrow(/TOPIC_ARN[\s\S]*API_URL_B2B|API_URL_B2B[\s\S]*TOPIC_ARN/);
  });
});
