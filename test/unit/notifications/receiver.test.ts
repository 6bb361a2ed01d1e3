import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notification } from '@marquee/client/notifications';
import { waitUntil } from 'template-runtime/testing/wait.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChangedUsers, type ChangedUsersOptions } from '../../../examples/receiver/changed-users.ts';
import { printable } from '../../../examples/receiver/log.ts';
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

describe('the example receiver', () => {
  let server: Server;
  let url: string;
  let heard: Notification[];
  let said: string[];
  let isFull: boolean;
  let explosion: string | undefined;

  beforeEach(async () => {
    heard = [];
    said = [];
    isFull = false;
    explosion = undefined;
    server = createReceiver({
      topicArn,
      form: 'raw',
      onNotification: (notification) => {
        if (isFull) throw new Error('the disk is full');
        if (explosion !== undefined) throw new Error(explosion);
        heard.push(notification);
      },
      log: (line) => said.push(line),
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

  it('handles a message once, however often it arrives', async () => {
    expect(await post(notification)).toBe(200);
    expect(await post(notification)).toBe(200);
    expect(await post(notification, { 'x-amz-sns-message-id': 'message-2' })).toBe(200);

    expect(heard).toEqual([notification, notification]);
  });

  it('accepts a message that it could not store before when the message arrives again', async () => {
    isFull = true;
    expect(await post(notification)).toBe(500);

    isFull = false;
    expect(await post(notification)).toBe(200);

    expect(heard).toEqual([notification]);
  });

  it('answers 403 to messages of another topic, of another type, or without a valid body', async () => {
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

  it.each(['text/plain; charset=UTF-8', 'application/json', 'application/octet-stream', ''])(
    'reads a message whatever its type is: %s',
    async (type) => {
      expect(await post(notification, { 'content-type': type })).toBe(200);
      expect(heard).toEqual([notification]);
    },
  );

  it('prints no characters of a stranger that forge a line or command a terminal', async () => {
    const forged = `x\n\u001b[2J\u009b1mSubscribed to ${topicArn}\u202e\u2028`;
    const unsigned = { 'x-amz-sns-message-type': 'SubscriptionConfirmation' };
    const envelope = { ...envelopeOf(notification), SignatureVersion: '2', SigningCertURL: forged };

    expect(await post({ ...envelope, Type: forged }, unsigned)).toBe(403);
    expect(await post({ ...envelope, SignatureVersion: forged, Type: 'Notification' }, unsigned)).toBe(403);
    expect(await post({ ...envelope, TopicArn: forged, Type: 'SubscriptionConfirmation' }, unsigned)).toBe(
      403,
    );
    explosion = forged;
    expect(await post(notification)).toBe(500);

    expect(said).toHaveLength(4);
    for (const line of said) {
      expect(line).toMatch(/^Not accepted: [ -~]*$/);
    }
  });

  it('does not remember the ids of strangers that are longer than those of SNS', async () => {
    const long = { 'x-amz-sns-message-id': 'x'.repeat(10_000) };

    expect([await post(notification, long), await post(notification, long)]).toEqual([200, 200]);

    expect(heard).toEqual([notification, notification]);
  });

  it('waits no longer for a request than SNS does for an answer', () => {
    expect(server.requestTimeout).toBe(15_000);
    expect(server.maxConnections).toBe(1_000);
  });

  it.each(operations)('accepts a notification of the type $operation_type', async (operation) => {
    expect(await post(operation)).toBe(200);
    expect(heard).toEqual([operation]);
  });

  it('answers 404 at any path but its root', async () => {
    expect((await fetch(`${url}/other`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('the example receiver of enveloped messages', () => {
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

  it.each(operations)(
    'handles a notification of the type $operation_type once, however often it arrives',
    async (operation) => {
      const message = envelopedPost(sns.signed(envelopeOf(operation)));

      expect([await post(message), await post(message)]).toEqual([200, 200]);
      expect(heard).toEqual([operation]);
    },
  );

  it('answers 403 to messages that are forged, too old, of another topic or not signed', async () => {
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

describe('the changed users of the example receiver', () => {
  interface Ask {
    readonly subs: readonly string[];
    readonly answer: (status: number, body?: unknown) => void;
  }
  const aUser = (application_user_sub: string, user_data: object = {}) => ({
    application_user_sub,
    user_data,
    user_agreements: [],
  });

  /** Starts the example with an API whose answers the test gives. `seen` collects the outcome for each user. */
  const startUsers = async (onUser?: (sub: string) => void, options: Partial<ChangedUsersOptions> = {}) => {
    const asked: Ask[] = [];
    const seen: unknown[] = [];
    const api = createServer(async (request, response) => {
      const { application_user_subs: subs } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const answer = (status: number, body: unknown = {}) => {
        response.statusCode = status;
        response.end(JSON.stringify(body));
      };
      asked.push({ subs, answer });
    });
    const users = new ChangedUsers({
      apiUrl: await listen(api),
      apiKey: 'key',
      onUser: (sub, user) => {
        onUser?.(sub);
        seen.push([sub, user?.user_data]);
      },
      onError: (sub) => seen.push([sub, 'failed']),
      gatherMilliseconds: 10,
      retryMilliseconds: 10,
      ...options,
    });
    const next = async (number: number): Promise<Ask> => {
      await waitUntil(() => asked.length >= number);
      return asked[number - 1] as Ask;
    };
    onTestFinished(() => close(api));
    return { users, seen, asked, next };
  };

  it('are read a hundred at a time, and those missing in the answer are read again', async () => {
    const { users, seen, asked, next } = await startUsers();
    const names = Array.from({ length: 150 }, (_, index) => `user-${index}`);

    for (const name of names) users.changed(name);
    const first = await next(1);
    first.answer(
      200,
      first.subs.map((sub, index) =>
        index < 90 ? aUser(sub) : { application_user_sub: sub, error_fields: 'READ_AGAIN' },
      ),
    );
    const second = await next(2);
    second.answer(
      200,
      second.subs.map((sub) => aUser(sub)),
    );
    await users.idle();

    expect(asked.map(({ subs }) => subs.length)).toEqual([100, 60]);
    expect(seen.map((each) => (each as [string])[0]).sort()).toEqual(names.sort());
  });

  it('are read once more when they change during a read, however often they change', async () => {
    const { users, seen, next } = await startUsers();

    users.changed('s');
    const first = await next(1);
    for (let change = 0; change < 5; change++) users.changed('s');
    first.answer(200, [aUser('s', { reads: 1 })]);
    (await next(2)).answer(200, [aUser('s', { reads: 2 })]);
    await users.idle();

    expect(seen).toEqual([
      ['s', { reads: 1 }],
      ['s', { reads: 2 }],
    ]);
  });

  it('are read again after a failed read, and after a failure of their own handler', async () => {
    let failures = 0;
    const { users, seen, asked, next } = await startUsers((sub) => {
      if (sub === 'b' && ++failures === 1) throw new Error('the database is out');
    });

    users.changed('a');
    users.changed('b');
    (await next(1)).answer(403);
    (await next(2)).answer(200, [aUser('a'), aUser('b')]);
    (await next(3)).answer(200, [aUser('b')]);
    await users.idle();

    expect(asked.map(({ subs }) => subs)).toEqual([['a', 'b'], ['a', 'b'], ['b']]);
    expect(seen).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
      ['a', {}],
      ['b', 'failed'],
      ['b', {}],
    ]);
  });

  it('are refused while too many wait, so that forged messages fill no memory', async () => {
    const { users, asked, next } = await startUsers(undefined, { mostPending: 3 });

    for (const name of ['a', 'b', 'c', 'a', 'b']) users.changed(name);
    expect(() => users.changed('d')).toThrow('3 users wait to be read');
    (await next(1)).answer(
      200,
      ['a', 'b', 'c'].map((sub) => aUser(sub)),
    );
    await users.idle();
    users.changed('d');
    (await next(2)).answer(200, [aUser('d')]);
    await users.idle();

    expect(asked.map(({ subs }) => subs)).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('take one line of the file each, however often messages about them arrive before they are read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-pending-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pendingFile = join(folder, 'pending');
    const { users, next } = await startUsers(undefined, { pendingFile });

    for (let time = 0; time < 1_000; time++) users.changed('a');
    const first = await next(1);
    for (let time = 0; time < 1_000; time++) users.changed('a');
    const duringRead = readFileSync(pendingFile, 'utf8');
    first.answer(200, [aUser('a')]);
    (await next(2)).answer(200, [aUser('a')]);
    await users.idle();

    expect(duringRead).toBe('+a\n');
    expect(readFileSync(pendingFile, 'utf8')).toBe('+a\n-a\n');
  });

  it('are reported as gone when the API does not find them, and invalid identifiers are never requested', async () => {
    const { users, seen, asked, next } = await startUsers();

    users.changed('x'.repeat(30_000));
    users.changed('s');
    (await next(1)).answer(200, [{ application_user_sub: 's', error_fields: 'USER_NOT_FOUND' }]);
    await users.idle();

    expect(asked.map(({ subs }) => subs)).toEqual([['s']]);
    expect(seen).toEqual([
      ['x'.repeat(30_000), 'failed'],
      ['s', undefined],
    ]);
  });
});

describe('the settings of the example receiver', () => {
  it('have defaults for the port and the form of messages', () => {
    const settings = readSettings({
      TOPIC_ARN: topicArn,
      API_URL_B2B: 'https://b2b.example.com/',
      API_KEY: 'k',
    });

    expect(settings).toMatchObject({ apiUrl: 'https://b2b.example.com', port: 8080, form: 'raw' });
  });

  it('name every missing variable in the error', () => {
    expect(() => readSettings({})).toThrow(/TOPIC_ARN[\s\S]*API_URL_B2B|API_URL_B2B[\s\S]*TOPIC_ARN/);
  });
});

describe('a line of the log of the example receiver', () => {
  it('has letters of every language, and numbers instead of what cannot be seen', () => {
    expect(printable('José 東京 👍')).toBe('José 東京 👍');
    expect(printable('a\nb\u001b[2J\u007f\u009b\u200b\u202e\u2028\ud800')).toBe(
      'a\\u{a}b\\u{1b}[2J\\u{7f}\\u{9b}\\u{200b}\\u{202e}\\u{2028}\\u{d800}',
    );
  });

  it('ends where nobody would read on', () => {
    expect(printable('x'.repeat(10_000))).toHaveLength(2_001);
  });
});
