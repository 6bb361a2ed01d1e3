import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ConfirmSubscriptionCommand } from '@aws-sdk/client-sns';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { createWebhooks } from '@marquee/client/notifications';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CustomerEndpoint,
  notificationsOf,
  type Reaction,
} from '../../support/notifications/customer-endpoint.ts';
import { switchOffRedelivery } from '../../support/notifications/switch-off-redelivery.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { refusal } from '../../support/platform/refusal.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { userDataOf } from '../../support/users/user-data-system.ts';

let system: System;
let data: ReturnType<typeof userDataOf>;
let apiKey: string;

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
  data = userDataOf(system);
  await switchOffRedelivery(system);
  apiKey = data.application(0).api_key;
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
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
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

/** Sends exactly these bytes, or no body. */
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

describe('the business-to-business read', () => {
  const notFound = { status: 404, body: { status: 404, error_fields: 'USER_NOT_FOUND' } };
  const forbidden = { status: 403, body: { message: 'Forbidden' } };
  const asking = (application_user_sub: unknown) => JSON.stringify({ application_user_sub });

  it('returns the data to the application whose own identifier is in the request', async () => {
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

  it('and reservations work for an application that is notified only of users who have linked it', async () => {
    const { clientId, apiKey: key } = await data.ownApplication('linking');
    const authorization = await bearer({ sub: 'linus', client_id: clientId });
    const user_data = { email: 'linus@example.com' };
    await profile('PUT', '/user/data', { authorization, body: JSON.stringify({ user_data }) });
    const ask = async <Json>(url: string, body: object): Promise<Json> => {
      const { status, json } = await callApi<Json>(url, { key, body });
      expect({ url, status }).toEqual({ url, status: expect.toBeOneOf([200, 201]) });
      return json;
    };
    const { base_url, api_url_b2b } = system.outputs;
    const { user_subs } = await ask<{ readonly user_subs: readonly { application_user_sub: string }[] }>(
      `${api_url_b2b}/vendor/user-subs/get`,
      { user_subs: ['linus'] },
    );
    const application_user_sub = user_subs[0]?.application_user_sub ?? '';
    const found = { application_user_sub, user_data, user_agreements: [] };
    const contracts = `${base_url}/api/v1/nft/contracts`;
    const { address } = await ask<{ readonly address: string }>(contracts, {
      name: 'Seats',
      symbol: 'SEAT',
      chain: 'MATIC',
    });
    const seat = { destination: application_user_sub, metadata: { name: 'Seat' } };

    expect(await ask(`${api_url_b2b}/user-data/read`, { application_user_sub })).toMatchObject(found);
    const batch = await ask(`${api_url_b2b}/user-data/read/batch`, {
      application_user_subs: [application_user_sub],
    });
    expect(JSON.stringify(batch)).toContain('linus@example.com');
    expect(await ask(`${contracts}/${address}/mint`, seat)).toMatchObject({ status: 'reserved' });
    expect(await ask(`${contracts}/${address}/mint/batch`, { tokens: [seat] })).toMatchObject({
      tokens: [{ status: 'reserved' }],
    });
  });

  it('answers 403 without details to a missing or invalid API key, whatever the body', async () => {
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'wrong' }, { authorization: apiKey }]) {
      expect(await read('{}', headers as Record<string, string>)).toEqual(forbidden);
      expect(await read('{', headers as Record<string, string>)).toEqual(forbidden);
    }
  });
});

describe('access tokens', () => {
  it('are accepted with a new key of the issuer without a restart', async () => {
    await profile('PUT', '/user/data', { authorization: await bearer({ sub: 'rotating' }), body: '{}' });

    for (let rotation = 0; rotation < 2; rotation++) {
      await fetch(`${system.outputs.oidc_issuer}/rotate`, { method: 'POST' });
      const authorization = await bearer({ sub: 'rotating' });
      // Functions fetch the issuer's keys at most once in two seconds, and answer 503 to the token until then.
      const statuses: number[] = [];
      await waitFor(
        async () => {
          const { status } = await profile('GET', '/user/data', { authorization });
          statuses.push(status);
          expect(status).toBe(200);
        },
        { interval: 200 },
      );
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    }
  });
});

describe('a change record that cannot be parsed', () => {
  it('ends in the queue of failed changes, and other records are published', async () => {
    const database = new DynamoDBClient(system.aws);
    const { sqs } = data;
    const TableName = await system.stackOutput('UsersTable');
    const QueueUrl = await system.stackOutput('FailedChangesQueueUrl');
    await database.send(new PutItemCommand({ TableName, Item: { user_sub: { S: 'poisoned' } } }));

    const failed = await waitFor(
      async () => {
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
        const [message] = Messages;
        if (message === undefined) throw new Error('nothing was put aside yet');
        return message;
      },
      { interval: 200 },
    );
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: failed.ReceiptHandle }));

    expect(JSON.parse(failed.Body ?? '')).toMatchObject({
      reason: expect.any(String),
      record: { eventName: 'INSERT', dynamodb: { Keys: { user_sub: { S: 'poisoned' } } } },
    });
  });
});

/** The client's webhooks for an enveloped subscription. */
const webhooks = () =>
  createWebhooks({
    topicArn: system.outputs.topic_arn,
    form: 'enveloped',
    snsHost: new URL(system.outputs.aws_endpoint_url).host,
  });

/** Checks that the record has this many messages and every outcome. A redrive depends on these outcomes. */
const isEachOutcomeKnown = async (key: string, since: string, messages: number): Promise<void> => {
  const { body } = await data.b2b<{ status: string }[]>(key, `/notifications?limit=100&from=${since}`);
  expect(body).toHaveLength(messages);
  expect(body.filter(({ status }) => status === 'published')).toEqual([]);
};

describe('notifications', () => {
  it('arrive after the confirmation of the subscription, with each application’s own identifier', async (context) => {
    const [ours, theirs] = [await data.endpoint(context), await data.endpoint(context)];
    await data.subscribe(ours.url, data.application(0).id);
    await data.subscribe(theirs.url, data.application(1).id);
    const { body, headers } = await data.confirmation(ours);

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
    await data.confirm(theirs);
    await data.put('early', { email: 'early@example.com' });
    await waitFor(() => expect(notificationsOf(theirs)).toHaveLength(1));
    expect(ours.posted).toHaveLength(1);

    for (let time = 0; time < 2; time++) {
      expect((await fetch(String(body.SubscribeURL))).status).toBe(200);
    }
    // Changes that follow each other faster can be announced by one message.
    for (const [index, email] of ['a@example.com', 'b@example.com', null].entries()) {
      await data.put('late', { email });
      await data.put('late', { email });
      await waitFor(() => expect(notificationsOf(ours)).toHaveLength(index + 1));
    }

    await waitFor(() => expect(notificationsOf(theirs)).toHaveLength(4));
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
    expect(await data.read(sub, data.application(0).api_key)).toEqual({
      status: 200,
      body: { application_user_sub: sub, user_data: {}, user_agreements: [] },
    });
    expect((await data.read(sub, data.application(1).api_key)).status).toBe(404);
  });

  it('require a confirmation with the right token, which an API call can send, too', async (context) => {
    const ours = await data.endpoint(context);
    await data.subscribe(ours.url, data.application(0).id);
    const { body } = await data.confirmation(ours);

    await expect(
      data.sns.send(new ConfirmSubscriptionCommand({ TopicArn: system.outputs.topic_arn, Token: 'x' })),
    ).rejects.toThrow();
    const { SubscriptionArn } = await data.sns.send(
      new ConfirmSubscriptionCommand({ TopicArn: system.outputs.topic_arn, Token: String(body.Token) }),
    );

    expect(SubscriptionArn).toContain(system.outputs.topic_arn);
  });
});

/** The tests run in parallel, so each uses an application of its own. */
describe.concurrent('an enveloped subscription', () => {
  it('receives signed messages in the form of SNS, and its dead letters have this form', async (context) => {
    const { id, clientId } = await data.ownApplication('enveloped');
    const letters = await data.letterQueue('letters-of-enveloped');
    const ours = await data.endpoint(context, ({ body }) =>
      body.Type === 'SubscriptionConfirmation' ? 200 : 404,
    );
    await data.subscribe(ours.url, id, {
      RawMessageDelivery: 'false',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: letters.arn }),
    });
    await data.confirm(ours);

    await data.put('enveloped', { n: 1 }, clientId);

    const [letter] = await waitFor(
      async () => {
        const found = await data.takeLetters(letters.url);
        expect(found).toHaveLength(1);
        return found;
      },
      { interval: 200 },
    );
    expect(letter).toMatchObject({
      Type: 'Notification',
      TopicArn: system.outputs.topic_arn,
      SignatureVersion: '2',
    });
    expect(notificationsOf(ours)).toHaveLength(1);
    const received = ours.posted.map((post) => webhooks().unwrap(post));
    expect((await Promise.all(received)).map(({ type }) => type)).toEqual([
      'SubscriptionConfirmation',
      'Notification',
    ]);
    const forged = { ...ours.posted[0]?.body, Message: 'forged' };
    await expect(webhooks().unwrap({ headers: {}, body: forged })).rejects.toThrow('not that of SNS');
    expect(Object.keys(JSON.parse(letter?.Message ?? '')).sort()).toEqual([
      'application_user_sub',
      'date_time',
      'operation_type',
    ]);
  });

  it('ends by its UnsubscribeURL, is listed as ended, and works again after a new subscription', async (context) => {
    const { id, clientId, apiKey: key } = await data.ownApplication('ended');
    const ours = await data.endpoint(context);
    await data.operator('subscriptions', 'add', id, ours.url, '--enveloped');
    await data.confirm(ours);
    const stateOf = async () => {
      const { body } = await data.b2b<{ state: string }[]>(key, '/notifications/endpoints');
      return body.map(({ state }) => state);
    };
    const changed = async (n: number) => {
      await data.put('ended', { n }, clientId);
      const told = async () => (await data.b2b<{ status: string }[]>(key, '/notifications')).body;
      await waitFor(async () => expect(await told()).toHaveLength(n), { interval: 100 });
    };
    const ended = async (times: number) => {
      const [post] = notificationsOf(ours);
      expect((await fetch(String(post?.body.UnsubscribeURL))).status).toBe(200);
      return waitFor(() => {
        const ends = ours.posted.filter(({ body }) => body.Type === 'UnsubscribeConfirmation');
        expect(ends).toHaveLength(times);
        return ends[times - 1];
      });
    };
    await changed(1);
    await waitFor(() => expect(notificationsOf(ours)).toHaveLength(1));

    const end = await ended(1);
    await changed(2);

    const message = await webhooks().unwrap({ headers: end?.headers ?? {}, body: end?.text });
    if (message.type !== 'UnsubscribeConfirmation') throw new Error(`It is a ${message.type}`);
    expect(await stateOf()).toEqual(['ended']);
    const [{ id: endpoint_id }] = (await data.b2b<{ id: string }[]>(key, '/notifications/endpoints'))
      .body as [{ id: string }];
    const test = (body: unknown) => data.b2b(key, '/notifications/test', { body });
    expect(await test({ endpoint_id })).toEqual({
      status: 409,
      body: refusal({ status: 409, message: 'ENDPOINT_ENDED' }),
    });
    expect((await test({ endpoint_id: 'nobody' })).status).toBe(404);
    expect((await data.b2b<unknown[]>(key, '/notifications?operation_type=test')).body).toEqual([]);
    expect(await data.operator('subscriptions', 'list', '--application', id)).toMatchObject([
      { endpoint: ours.url, state: 'ended', form: 'enveloped' },
    ]);
    expect((await fetch(message.subscribeUrl)).status).toBe(200);
    expect(await stateOf()).toEqual(['confirmed']);
    await changed(3);
    await waitFor(() => expect(notificationsOf(ours)).toHaveLength(2));
    const { body: all } = await data.b2b<{ date_time: string }[]>(key, '/notifications');
    expect(notificationsOf(ours).map(({ body }) => JSON.parse(String(body.Message)).date_time)).toEqual([
      all[2]?.date_time,
      all[0]?.date_time,
    ]);
    await ended(2);
    await data.operator('subscriptions', 'remove', ours.url, '--yes');
    expect(await stateOf()).toEqual([]);
  });
});

describe.concurrent('a notification that two of three endpoints reject', () => {
  it('is redriven and replayed only to endpoints that have not accepted it yet, once each time', async (context) => {
    const { id: applicationId, clientId, apiKey: key } = await data.ownApplication('redriven');
    const confirming = (status: () => Reaction) =>
      data.endpoint(context, ({ body }) => (body.Type === 'SubscriptionConfirmation' ? 200 : status()));
    const from = new Date().toISOString();
    let revived: Reaction = 404;
    let last: Reaction = 404;
    const living = await confirming(() => 200);
    const dead = await confirming(() => last);
    const reviving = await confirming(() => revived);
    for (const each of [living, dead, reviving]) {
      await data.operator('subscriptions', 'add', applicationId, each.url);
      await data.confirm(each);
    }

    const since = new Date().toISOString();
    await data.put('multiplied', { n: 1 }, clientId);
    const refused = async () => {
      const answer = await data.b2b<unknown>(key, `/notifications?status=failed&from=${since}`);
      const [found] = answer.body as { deliveries: { status: string }[] }[];
      expect(found?.deliveries.map(({ status }) => status).sort()).toEqual(['delivered', 'failed', 'failed']);
    };
    await waitFor(refused, { interval: 500 });
    // One of the two endpoints that refuse accepts what the second of four redrives sends.
    for (let time = 0; time < 4; time++) {
      const before = notificationsOf(dead).length;
      await waitFor(async () => expect(await data.countLetters()).toBe(time < 2 ? 2 : 1), { interval: 200 });
      if (time === 1) revived = 200;
      await data.operator('dead-letters', 'redrive');
      await waitFor(() => expect(notificationsOf(dead).length).toBe(before + 1));
      if (time === 1) {
        await waitFor(() => expect(notificationsOf(reviving).length).toBe(3));
      }
      // One message for the change, and one for each redrive to an endpoint that has not accepted it.
      const messages = 1 + 2 * Math.min(time + 1, 2) + Math.max(time - 1, 0);
      await waitFor(() => isEachOutcomeKnown(key, since, messages), { interval: 200 });
    }

    expect(notificationsOf(living)).toHaveLength(1);
    expect(notificationsOf(reviving)).toHaveLength(3);
    expect(notificationsOf(dead)).toHaveLength(5);
    const { body: listed } = await data.b2b<unknown>(key, `/notifications?from=${since}&limit=100`);
    const told = (listed as { id: string; redrive_of?: string; deliveries: object[] }[]).toReversed();
    expect(told[0]).not.toHaveProperty('redrive_of');
    expect(told.slice(1).map((each) => each.redrive_of)).toEqual(told.slice(1).map(() => told[0]?.id));
    expect(told[0]?.deliveries).toContainEqual({
      endpoint_id: expect.any(String),
      endpoint: dead.url,
      status: 'failed',
      status_code: 404,
      response: 'Not Found',
      attempts: 1,
      dwell_time_ms: expect.any(Number),
      at: expect.any(String),
      redriven_at: expect.any(String),
    });
    const { body } = await data.b2b<unknown>(key, '/notifications/endpoints');
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
    await data.takeLetters(system.outputs.dlq_url);

    last = 200;
    const order = { from, to: new Date(Date.now() + 60_000).toISOString(), status: 'failed' };
    const replaying = (body: unknown) =>
      data.b2b(key, '/notifications/replay', { body, headers: { 'idempotency-key': 'again' } });
    const replay = await replaying(order);
    expect(replay).toMatchObject({ status: 202, body: { status: 'failed', endpoint_id: null } });
    const id = String(replay.body.id);
    await waitFor(
      async () => {
        const { body: progress } = await data.b2b<unknown>(key, `/notifications/replay/${id}`);
        expect(progress).toMatchObject({ id, state: 'ended', published: 1 });
      },
      { interval: 200 },
    );
    await waitFor(() => expect(notificationsOf(dead)).toHaveLength(6));
    await waitFor(
      async () => {
        const { body: newest } = await data.b2b<unknown>(key, '/notifications?limit=1');
        expect(newest).toMatchObject([{ replay_of: told[0]?.id, status: 'delivered' }]);
      },
      { interval: 200 },
    );
    const again = await replaying(order);
    expect(again).toMatchObject({ status: 202, body: { id, state: 'ended' } });
    const other = await replaying({ ...order, from: '2020-01-01T00:00:00Z' });
    expect(other).toEqual({ status: 422, body: refusal({ status: 422, message: 'IDEMPOTENCY_KEY_REUSED' }) });
    expect((await data.b2b(key, '/notifications/replay/nobody')).status).toBe(404);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    for (const [body, path] of [
      [{ ...order, to: from }, 'to'],
      [{ ...order, from: ahead, to: new Date(Date.now() + 7_200_000).toISOString() }, 'from'],
      [{ from: 'yesterday', to: ahead }, 'from'],
      ['{', 'body'],
      [`"${'x'.repeat(40_000)}"`, 'body'],
    ]) {
      expect(await data.b2b(key, '/notifications/replay', { body })).toEqual({
        status: 400,
        body: refusal({
          status: 400,
          message: 'BAD_REQUEST',
          errors: [{ path, message: expect.any(String) }],
        }),
      });
    }
    expect(await data.b2b(key, '/notifications?status=lost')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'status' }] },
    });
    expect(await data.read(7, key)).toEqual({ status: 400, body: { status: 400, message: 'BAD_REQUEST' } });

    const test = await data.b2b(key, '/notifications/test', { body: {} });
    expect(test).toMatchObject({ status: 200, body: { operation_type: 'test', status: 'published' } });
    await waitFor(() => {
      for (const each of [living, dead, reviving]) {
        const tests = notificationsOf(each).filter((post) => post.body.operation_type === 'test');
        expect(tests.map((post) => post.messageId)).toEqual([test.body.id]);
      }
    });
    expect((await data.read(test.body.application_user_sub, key)).status).toBe(404);
    await waitFor(
      async () => {
        const { body: tests } = await data.b2b<unknown>(key, '/notifications?operation_type=test');
        expect(tests).toMatchObject([{ id: test.body.id, status: 'delivered' }]);
      },
      { interval: 200 },
    );
    expect(notificationsOf(living)).toHaveLength(2);
    expect(notificationsOf(reviving)).toHaveLength(4);
  });
});

describe('an endpoint that rejects the confirmation message', () => {
  it("makes the command that waits for it fail, which shows the response, as the customer's list does", async (context) => {
    const { id, apiKey: key } = await data.ownApplication('refusing');
    const refusing = await data.endpoint(context, () => 403);

    await expect(data.operator('subscriptions', 'add', id, refusing.url, '--wait')).rejects.toThrow(
      'did not accept the confirmation message: 403: Forbidden',
    );

    const reason = '403: Forbidden';
    const { body } = await data.b2b<unknown>(key, '/notifications/endpoints');
    expect(body).toMatchObject([{ state: 'pending', last_failure: { reason } }]);
    const listed = await data.operator('subscriptions', 'list');
    expect(listed).toContainEqual(
      expect.objectContaining({ endpoint: refusing.url, state: 'pending', last_failure: reason }),
    );
    expect((await data.b2b<unknown>(key, '/notifications')).body).toEqual([]);
  });
});

describe('a queue in a customer’s own account', () => {
  it('works like other endpoints: confirmed, listed, recorded, replayed to, removed', async () => {
    const { id, clientId, apiKey: key } = await data.ownApplication('queued');
    const queue = await data.customerQueue('111122223333', 'notifications');
    const endpoints = async () =>
      (await data.b2b<Record<string, unknown>[]>(key, '/notifications/endpoints')).body;
    const newest = async () =>
      (await data.b2b<Record<string, unknown>[]>(key, '/notifications?limit=1')).body[0];
    const outcome = (expected: object) =>
      waitFor(async () => expect(await newest()).toMatchObject(expected), { interval: 200 });
    const from = new Date().toISOString();
    await queue.admit(system.outputs.topic_arn);
    await expect(data.operator('subscriptions', 'add', id, queue.arn, '--retries', '5')).rejects.toThrow(
      '--retries is only for https endpoints',
    );
    const fileOf = (name: string, content: object): string => {
      const file = join(system.stateDirectory, name);
      writeFileSync(file, JSON.stringify(content));
      return file;
    };
    const rules = { ott: { rules: [{ id: 'everything', enabled: true }] } };
    await data.operator('applications', 'configure', id, '--file', fileOf('rules.json', rules));
    const operations = ['--operations', 'data_update,event_update'];
    await data.operator('subscriptions', 'add', id, queue.arn, ...operations);
    const confirmation = JSON.parse(await queue.next());
    expect(confirmation).toMatchObject({ Type: 'SubscriptionConfirmation' });
    expect(await endpoints()).toMatchObject([{ address: queue.arn, form: 'raw', state: 'pending' }]);
    await queue.confirm(confirmation.Token);

    await data.put('queued', { n: 1 }, clientId);

    const message = JSON.parse(await queue.next());
    expect(Object.keys(message)).toEqual(['operation_type', 'application_user_sub', 'date_time']);
    await outcome({
      date_time: message.date_time,
      status: 'delivered',
      // Deliveries to the service's own queue are not listed.
      deliveries: [{ endpoint: queue.arn, status_code: 200, attempts: 1 }],
    });

    const event = {
      event_id: 'queued-final',
      title: 'Final',
      status: 'LIVE',
      access: 'free',
      starts_at: new Date().toISOString(),
    };
    await data.operator('events', 'import', fileOf('event.json', [event]));
    expect(JSON.parse(await queue.next())).toMatchObject({
      operation_type: 'event_update',
      event_id: 'queued-final',
      change: 'created',
      status: 'LIVE',
    });

    await queue.admit(`${system.outputs.topic_arn}-other`);
    await data.put('queued', { n: 2 }, clientId);
    await outcome({
      status: 'failed',
      deliveries: [{ status_code: 403, attempts: 1, response: expect.stringContaining('AccessDenied') }],
    });
    await waitFor(
      async () => {
        expect(await endpoints()).toMatchObject([
          { state: 'confirmed', last_failure: { reason: expect.stringContaining('403') } },
        ]);
      },
      { interval: 200 },
    );
    const { id: missed } = (await newest()) ?? {};

    await queue.admit(system.outputs.topic_arn);
    await data.b2b(key, '/notifications/replay', {
      body: { from, to: new Date(Date.now() + 60_000).toISOString(), status: 'failed' },
      headers: { 'idempotency-key': 'queued' },
    });
    expect(JSON.parse(await queue.next())).toMatchObject({ operation_type: 'data_update' });
    await outcome({ status: 'delivered', replay_of: missed });
    expect(await data.operator('find', queue.arn)).toMatchObject([{ kind: 'endpoint' }]);
    await data.operator('subscriptions', 'remove', queue.arn, '--yes');
    expect(await endpoints()).toEqual([]);
  });
});
