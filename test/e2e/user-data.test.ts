import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  ConfirmSubscriptionCommand,
  ListSubscriptionsByTopicCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import MessageValidator from 'sns-validator';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type CustomerEndpoint,
  notificationsOf,
  type Reaction,
  startCustomerEndpoint,
} from '../support/customer-endpoint.ts';
import { type System, startSystem } from '../support/system.ts';

let system: System;
let sns: SNSClient;
let sqs: SQSClient;
const endpoints: CustomerEndpoint[] = [];

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
  sns = new SNSClient(system.aws);
  sqs = new SQSClient(system.aws);
  // The validator fetches the certificate over TLS.
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(system.outputs.ca_file, 'utf8')]);
});
afterAll(() => system.dispose());
afterEach(async () => {
  for (const { url, stop } of endpoints.splice(0)) {
    await vi.waitFor(() => unsubscribed(url), { timeout: 10_000 });
    await stop();
  }
});

const unsubscribed = async (url: string): Promise<void> => {
  const { Subscriptions = [] } = await sns.send(
    new ListSubscriptionsByTopicCommand({ TopicArn: system.outputs.topic_arn }),
  );
  for (const { Endpoint, SubscriptionArn } of Subscriptions) {
    if (Endpoint === url && SubscriptionArn !== 'PendingConfirmation') {
      await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
    }
  }
};

const endpoint = async (react?: Parameters<typeof startCustomerEndpoint>[0]): Promise<CustomerEndpoint> => {
  const started = await startCustomerEndpoint(react);
  endpoints.push(started);
  return started;
};

const application = (index: 0 | 1) => {
  const found = system.outputs.applications[index];
  if (found === undefined) throw new Error('two demonstration applications are expected');
  return found;
};

const subscribe = async (url: string, applicationId: string, attributes: Record<string, string> = {}) => {
  await sns.send(
    new SubscribeCommand({
      TopicArn: system.outputs.topic_arn,
      Protocol: 'http',
      Endpoint: url,
      Attributes: {
        FilterPolicy: JSON.stringify({ application_id: [applicationId] }),
        RawMessageDelivery: 'true',
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: await system.stackOutput('DeadLetterQueueArn'),
        }),
        DeliveryPolicy: JSON.stringify({
          healthyRetryPolicy: { numRetries: 2, minDelayTarget: 1, maxDelayTarget: 2 },
          requestPolicy: { headerContentType: 'application/json' },
        }),
        ...attributes,
      },
    }),
  );
};

const confirmation = (from: CustomerEndpoint) =>
  vi.waitFor(
    () => {
      const found = from.posted.find(({ body }) => body.Type === 'SubscriptionConfirmation');
      if (found === undefined) throw new Error('no confirmation yet');
      return found;
    },
    { timeout: 10_000 },
  );

const confirmed = async (from: CustomerEndpoint): Promise<void> => {
  const { body } = await confirmation(from);
  expect((await fetch(String(body.SubscribeURL))).status).toBe(200);
};

const put = async (sub: string, user_data: Record<string, unknown>): Promise<void> => {
  const response = await fetch(`${system.outputs.api_url_profile}/user/data`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${await system.token({ sub, client_id: 'test' })}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ user_data }),
  });
  if (response.status !== 200) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
};

/** What the official validator says of a message. */
const signatureOf = (message: Record<string, unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    new MessageValidator(/^127\.0\.0\.1:\d+$/).validate(message, (error) =>
      error === null ? resolve() : reject(error),
    );
  });

const read = async (application_user_sub: unknown, apiKey: string) => {
  const response = await fetch(`${system.outputs.api_url_b2b}/user-data/read`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ application_user_sub }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** A GET of the first application's. */
const b2b = async (path: string) => {
  const response = await fetch(`${system.outputs.api_url_b2b}${path}`, {
    headers: { 'x-api-key': application(0).api_key },
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

/** A POST of the first application's. */
const askB2b = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${system.outputs.api_url_b2b}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': application(0).api_key, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** Whether the record knows how the delivery of all that was sent since then has ended. */
const isEachOutcomeKnown = async (since: string): Promise<void> => {
  const { body } = await b2b(`/notifications?status=published&from=${since}`);
  expect(body).toEqual([]);
};

/** Empties the dead-letter queue. */
const deadLetters = async (): Promise<Record<string, string>[]> => {
  const found: Record<string, string>[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: system.outputs.dlq_url,
        MaxNumberOfMessages: 10,
      }),
    );
    if (Messages.length === 0) return found;
    found.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
    for (const { ReceiptHandle } of Messages) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: system.outputs.dlq_url, ReceiptHandle }));
    }
  }
};

const deadLetterCount = async (): Promise<number> => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: system.outputs.dlq_url,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, value) => sum + Number(value), 0);
};

const operator = async (...argv: string[]): Promise<{ code: number | null; json: unknown }> => {
  const outputs = `${system.stateDirectory}/outputs.json`;
  const child = spawn(process.execPath, ['operator/main.ts', '--json', '--outputs', outputs, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, json: text === '' ? undefined : JSON.parse(text) };
};

describe('notifications', () => {
  it('begin once the subscription is confirmed, and tell each application under its own identifier', async () => {
    const [ours, theirs] = [await endpoint(), await endpoint()];
    await subscribe(ours.url, application(0).id);
    await subscribe(theirs.url, application(1).id);
    const { body, headers } = await confirmation(ours);

    expect(Object.keys(body).sort()).toEqual(
      [
        'Type',
        'MessageId',
        'Token',
        'TopicArn',
        'Message',
        'SubscribeURL',
        'Timestamp',
        'SignatureVersion',
        'Signature',
        'SigningCertURL',
      ].sort(),
    );
    expect(headers['x-notify-message-type']).toBe('SubscriptionConfirmation');
    await confirmed(theirs);
    await put('early', { email: 'early@example.com' });
    await vi.waitFor(() => expect(notificationsOf(theirs)).toHaveLength(1), { timeout: 20_000 });
    expect(ours.posted).toHaveLength(1);

    for (let time = 0; time < 2; time++) {
      expect((await fetch(String(body.SubscribeURL))).status).toBe(200);
    }
    await put('late', { email: 'a@example.com' });
    await put('late', { email: 'b@example.com' });
    await put('late', { email: 'b@example.com' });
    await put('late', { email: null });

    await vi.waitFor(() => expect(notificationsOf(ours)).toHaveLength(3), { timeout: 20_000 });
    await vi.waitFor(() => expect(notificationsOf(theirs)).toHaveLength(4), { timeout: 20_000 });
    for (const post of notificationsOf(ours)) {
      expect(Object.keys(post.body).sort()).toEqual(['application_user_sub', 'date_time', 'operation_type']);
      expect(post.body.operation_type).toBe('data_update');
      expect(post.body.date_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(post.headers['content-type']).toBe('application/json');
    }
    const subs = (from: CustomerEndpoint) =>
      new Set(notificationsOf(from).map((post) => post.body.application_user_sub));
    expect(subs(ours).size).toBe(1);
    expect(subs(theirs).size).toBe(2);
    expect([...subs(ours)].filter((sub) => subs(theirs).has(sub))).toEqual([]);
    const [sub] = subs(ours);
    expect(await read(sub, application(0).api_key)).toEqual({
      status: 200,
      body: { application_user_sub: sub, user_data: {}, user_agreements: [] },
    });
    expect((await read(sub, application(1).api_key)).status).toBe(404);
  });

  it('wait for a refused token, and may be confirmed by an API call', async () => {
    const ours = await endpoint();
    await subscribe(ours.url, application(0).id);
    const { body } = await confirmation(ours);

    await expect(
      sns.send(new ConfirmSubscriptionCommand({ TopicArn: system.outputs.topic_arn, Token: 'x' })),
    ).rejects.toThrow();
    const { SubscriptionArn } = await sns.send(
      new ConfirmSubscriptionCommand({ TopicArn: system.outputs.topic_arn, Token: String(body.Token) }),
    );

    expect(SubscriptionArn).toContain(system.outputs.topic_arn);
  });
});

describe('dead letters', () => {
  it('are delivered by a redrive and leave the queue only then, also when it is killed', async () => {
    let status = 500;
    const ours = await endpoint(({ body }) => (body.Type === 'SubscriptionConfirmation' ? 200 : status));
    await subscribe(ours.url, application(0).id);
    await confirmed(ours);
    const users = Array.from({ length: 20 }, (_, index) => `dead-${index}`);
    await Promise.all(users.map((sub) => put(sub, { n: 1 })));

    await vi.waitFor(async () => expect(await deadLetterCount()).toBe(users.length), {
      timeout: 60_000,
      interval: 500,
    });
    const listed = (await operator('dead-letters', 'list')).json as Record<string, string>[];
    expect(listed.map(({ application: id }) => id)).toEqual(users.map(() => application(0).id));

    status = 200;
    const before = notificationsOf(ours).length;
    const killed = spawn(
      process.execPath,
      ['operator/main.ts', '--outputs', `${system.stateDirectory}/outputs.json`, 'dead-letters', 'redrive'],
      { stdio: 'ignore' },
    );
    await vi.waitFor(() => expect(notificationsOf(ours).length).toBeGreaterThan(before), {
      timeout: 30_000,
      interval: 1,
    });
    killed.kill('SIGKILL');

    const wanted = new Set(listed.map(({ subject }) => subject));
    await vi.waitFor(
      async () => {
        await operator('dead-letters', 'redrive');
        expect(await deadLetterCount()).toBe(0);
      },
      { timeout: 100_000, interval: 2_000 },
    );
    await vi.waitFor(
      () => {
        const delivered = notificationsOf(ours).slice(before);
        expect(new Set(delivered.map(({ body }) => body.application_user_sub))).toEqual(wanted);
      },
      { timeout: 10_000 },
    );
  });

  it('have SNS’s own shape when the subscription is enveloped', async () => {
    const ours = await endpoint(({ body }) => (body.Type === 'SubscriptionConfirmation' ? 200 : 404));
    await subscribe(ours.url, application(0).id, { RawMessageDelivery: 'false' });
    await confirmed(ours);

    await put('enveloped', { n: 1 });

    const [letter] = await vi.waitFor(
      async () => {
        const found = await deadLetters();
        expect(found).toHaveLength(1);
        return found;
      },
      { timeout: 20_000 },
    );
    expect(letter).toMatchObject({
      Type: 'Notification',
      TopicArn: system.outputs.topic_arn,
      SignatureVersion: '2',
    });
    expect(notificationsOf(ours)).toHaveLength(1);
    for (const { body } of ours.posted) await expect(signatureOf(body)).resolves.toBeUndefined();
    await expect(signatureOf({ ...ours.posted[0]?.body, Message: 'forged' })).rejects.toThrow('invalid');
    expect(Object.keys(JSON.parse(letter?.Message ?? '')).sort()).toEqual([
      'application_user_sub',
      'date_time',
      'operation_type',
    ]);
  });
});

describe('a change that two endpoints of three refuse', () => {
  it('is redriven to those two alone, and to one of them until it takes it, once, and replayed likewise', async () => {
    const confirming = (status: () => Reaction) =>
      endpoint(({ body }) => (body.Type === 'SubscriptionConfirmation' ? 200 : status()));
    const from = new Date().toISOString();
    let revived: Reaction = 404;
    let last: Reaction = 404;
    const living = await confirming(() => 200);
    const dead = await confirming(() => last);
    const reviving = await confirming(() => revived);
    for (const each of [living, dead, reviving]) {
      expect((await operator('subscriptions', 'add', application(0).id, each.url)).code).toBe(0);
      await confirmed(each);
    }

    const since = new Date().toISOString();
    await put('multiplied', { n: 1 });
    const refused = async () => {
      const answer = await b2b(`/notifications?status=failed&from=${since}`);
      const [found] = answer.body as { deliveries: { status: string }[] }[];
      expect(found?.deliveries.map(({ status }) => status).sort()).toEqual(['delivered', 'failed', 'failed']);
    };
    await vi.waitFor(refused, { timeout: 30_000, interval: 500 });
    for (let time = 0; time < 10; time++) {
      const before = notificationsOf(dead).length;
      await vi.waitFor(async () => expect(await deadLetterCount()).toBe(time < 5 ? 2 : 1), {
        timeout: 30_000,
        interval: 200,
      });
      if (time === 4) revived = 200;
      await operator('dead-letters', 'redrive');
      await vi.waitFor(() => expect(notificationsOf(dead).length).toBe(before + 1), { timeout: 20_000 });
      if (time === 4) {
        await vi.waitFor(() => expect(notificationsOf(reviving).length).toBe(6), { timeout: 20_000 });
      }
      await vi.waitFor(() => isEachOutcomeKnown(since), { timeout: 20_000, interval: 200 });
    }

    expect(notificationsOf(living)).toHaveLength(1);
    expect(notificationsOf(reviving)).toHaveLength(6);
    expect(notificationsOf(dead)).toHaveLength(11);
    const { body } = await b2b('/notifications/endpoints');
    expect(
      (body as { address: string; state: string; failing_since: string | null }[]).map((each) => [
        each.address,
        each.state,
        each.failing_since === null,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [living.url, 'confirmed', true],
        [dead.url, 'confirmed', false],
        [reviving.url, 'confirmed', true],
      ]),
    );
    await deadLetters();

    last = 200;
    const order = { from, to: new Date(Date.now() + 60_000).toISOString(), status: 'failed' };
    const replay = await askB2b('/notifications/replay', order, { 'idempotency-key': 'again' });
    expect(replay).toMatchObject({ status: 202, body: { status: 'failed', endpoint_id: null } });
    const id = String(replay.body.id);
    await vi.waitFor(
      async () => {
        const { body: progress } = await b2b(`/notifications/replay/${id}`);
        expect(progress).toMatchObject({ id, state: 'ended', published: 1 });
      },
      { timeout: 30_000, interval: 200 },
    );
    await vi.waitFor(() => expect(notificationsOf(dead)).toHaveLength(12), { timeout: 20_000 });
    const again = await askB2b('/notifications/replay', order, { 'idempotency-key': 'again' });
    expect(again).toMatchObject({ status: 202, body: { id, state: 'ended' } });
    const other = await askB2b(
      '/notifications/replay',
      { ...order, from: '2020-01-01T00:00:00Z' },
      { 'idempotency-key': 'again' },
    );
    expect(other).toEqual({ status: 422, body: { status: 422, message: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await b2b('/notifications/replay/nobody')).status).toBe(404);
    expect((await askB2b('/notifications/replay', { ...order, to: from })).status).toBe(400);

    const test = await askB2b('/notifications/test', {});
    expect(test).toMatchObject({ status: 200, body: { operation_type: 'test', status: 'published' } });
    await vi.waitFor(
      () => {
        for (const each of [living, dead, reviving]) {
          const tests = notificationsOf(each).filter((post) => post.body.operation_type === 'test');
          expect(tests.map((post) => post.messageId)).toEqual([test.body.id]);
        }
      },
      { timeout: 20_000 },
    );
    expect((await read(test.body.application_user_sub, application(0).api_key)).status).toBe(404);
    await vi.waitFor(
      async () => {
        const { body: tests } = await b2b('/notifications?operation_type=test');
        expect(tests).toMatchObject([{ id: test.body.id, status: 'delivered' }]);
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(notificationsOf(living)).toHaveLength(2);
    expect(notificationsOf(reviving)).toHaveLength(7);
  }, 300_000);
});

interface Listed {
  readonly id: string;
  readonly application_user_sub: string;
  readonly date_time: string;
  readonly deliveries: readonly { readonly endpoint: string; readonly status: string }[];
}

/** Every page of an application's list. */
const listOf = async (apiKey: string): Promise<Listed[]> => {
  const found: Listed[] = [];
  let url: string | undefined =
    `${system.outputs.api_url_b2b}/notifications?limit=100&operation_type=data_update`;
  while (url !== undefined) {
    const response: Response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    expect(response.status).toBe(200);
    found.push(...((await response.json()) as Listed[]));
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return found;
};

describe('400 changes of 100 users for three applications, with a flaky endpoint, a dead one and two kills', () => {
  const userCount = 100;
  const changesEach = 4;

  it('are each delivered or dead-lettered, never read older than they were told, and listed as the endpoints saw them', async () => {
    /** From when to when nobody knows what was done. */
    const kills: { readonly from: number; readonly until: number }[] = [];
    const third = (await operator('applications', 'create', 'third')).json as { api_key: string };
    const keys = [application(0).api_key, application(1).api_key, third.api_key] as const;
    const accepted = new Set<string>();
    const readings: { sub: string; dateTime: string; n: number }[] = [];
    const attempts = new Map<string, { status: Reaction; at: number }[]>();

    /** What becomes of a message is decided by its id: always the same way, or only the first time. */
    const reactionTo = (messageId: string, attempt: number): Reaction => {
      const bucket = Number.parseInt(messageId.slice(0, 4), 16) % 100;
      if (bucket < 5) return 500;
      if (bucket < 8) return 404;
      if (attempt > 1) return 200;
      if (bucket < 13) return 500;
      if (bucket < 16) return 429;
      if (bucket < 17) return 'hang';
      return bucket < 20 ? 'close' : 200;
    };

    /** From the kill on there may be nobody to answer. */
    const readIfRunning = async (...asked: Parameters<typeof read>) => {
      try {
        return await read(...asked);
      } catch (error) {
        if (kills.length === 0) throw error;
        return undefined;
      }
    };

    const customer = (index: 0 | 1 | 2, react: typeof reactionTo) =>
      endpoint(async (post) => {
        if (post.body.Type === 'SubscriptionConfirmation') return 200;
        const { application_user_sub: sub, date_time: dateTime } = post.body as Record<string, string>;
        const earlier = attempts.get(post.messageId) ?? [];
        const status = react(post.messageId, earlier.length + 1);
        attempts.set(post.messageId, [...earlier, { status, at: post.at }]);
        const answer = await readIfRunning(sub, keys[index]);
        if (answer?.status === 200 && sub !== undefined && dateTime !== undefined) {
          const { n } = answer.body.user_data as { n: number };
          readings.push({ sub, dateTime, n });
        }
        if (status === 200) accepted.add(`${sub} ${dateTime}`);
        return status;
      });
    const faulty = await customer(0, reactionTo);
    const healthy = await customer(1, () => 200);
    const broken = await customer(2, () => 404);
    const startedAt = new Date().toISOString().slice(0, -1);
    await subscribe(faulty.url, application(0).id);
    await subscribe(healthy.url, application(1).id);
    await subscribe(broken.url, 'third');
    await Promise.all([faulty, healthy, broken].map(confirmed));

    const tokens = new Map<string, string>();
    const users = Array.from({ length: userCount }, (_, index) => `user-${index}`);
    for (const sub of users) tokens.set(sub, await system.token({ sub, client_id: 'test' }));
    let done = 0;
    const change = async (sub: string, n: number): Promise<void> => {
      const response = await fetch(`${system.outputs.api_url_profile}/user/data`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${tokens.get(sub)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ user_data: { n } }),
        signal: AbortSignal.timeout(30_000),
      });
      await response.body?.cancel();
      if (response.status !== 200) throw new Error(`PUT answered ${response.status}`);
      done += 1;
    };
    /** A change whose answer was lost is repeated: if it was stored, that changes nothing. */
    const changeUntilAnswered = (sub: string, n: number) =>
      vi.waitFor(() => change(sub, n), { timeout: 240_000, interval: 500 });
    const queue = users.values();
    const work = async () => {
      for (const sub of queue) for (let n = 1; n <= changesEach; n++) await changeUntilAnswered(sub, n);
    };
    const working = Promise.all(Array.from({ length: 12 }, work));

    for (const part of [1 / 3, 2 / 3]) {
      await vi.waitUntil(() => done > userCount * changesEach * part, { timeout: 240_000, interval: 50 });
      const from = Date.now();
      kills.push({ from, until: Number.POSITIVE_INFINITY });
      await system.kill();
      kills.splice(-1, 1, { from, until: Date.now() });
      await system.start();
    }
    await working;

    const timesOf = () => {
      const times = new Map<string, Set<string>>();
      for (const one of [faulty, healthy, broken]) {
        for (const { body } of notificationsOf(one)) {
          const sub = String(body.application_user_sub);
          times.set(sub, (times.get(sub) ?? new Set()).add(String(body.date_time)));
        }
      }
      return times;
    };
    await vi.waitFor(
      () => {
        const times = timesOf();
        expect(times.size).toBe(3 * userCount);
        expect([...times.values()].filter(({ size }) => size !== changesEach)).toEqual([]);
      },
      { timeout: 240_000, interval: 1_000 },
    );
    const dead = new Set<string>();
    await vi.waitFor(
      async () => {
        for (const { application_user_sub, date_time } of await deadLetters()) {
          dead.add(`${application_user_sub} ${date_time}`);
        }
        const lost = [...timesOf()].flatMap(([sub, times]) =>
          [...times].map((time) => `${sub} ${time}`).filter((key) => !accepted.has(key) && !dead.has(key)),
        );
        expect(lost).toEqual([]);
      },
      { timeout: 120_000, interval: 1_000 },
    );

    const order = new Map([...timesOf()].map(([sub, times]) => [sub, [...times].sort()]));
    const tooOld = readings.filter(
      ({ sub, dateTime, n }) => n < (order.get(sub)?.indexOf(dateTime) ?? 0) + 1,
    );
    expect(tooOld).toEqual([]);
    expect(readings.length).toBeGreaterThan(userCount * changesEach);
    const retriedRefusals = [...attempts.values()].filter(
      (tries) =>
        tries[0]?.status === 404 &&
        tries
          .slice(1)
          .some(
            ({ at }, index) =>
              !kills.some(({ from, until }) => (tries[index]?.at ?? 0) <= until && at > from),
          ),
    );
    expect(retriedRefusals).toEqual([]);
    expect(dead.size).toBeGreaterThan(userCount * changesEach);

    for (const [index, one] of [faulty, healthy, broken].entries()) {
      const seen = new Map(
        notificationsOf(one).map(({ messageId }) => {
          const isTaken = attempts.get(messageId)?.some(({ status }) => status === 200);
          return [messageId, [{ endpoint: one.url, status: isTaken ? 'delivered' : 'failed' }]];
        }),
      );
      await vi.waitFor(
        async () => {
          const listed = (await listOf(keys[index] ?? '')).filter(({ date_time }) => date_time > startedAt);
          const outcomes = listed.map(({ id, deliveries }) => [
            id,
            deliveries.map(({ endpoint: url, status }) => ({ endpoint: url, status })),
          ]);
          expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(seen));
        },
        { timeout: 120_000, interval: 2_000 },
      );
    }
  }, 600_000);
});
