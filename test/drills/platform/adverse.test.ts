import {
  ConfirmSubscriptionCommand,
  ListSubscriptionsByTopicCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type CustomerEndpoint,
  notificationsOf,
  startCustomerEndpoint,
} from '../../support/notifications/customer-endpoint.ts';
import { type ApiAnswer, type ApiCall, callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const patient = { interval: 250 };
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const faults = z.object({
  databaseCalls: z.record(
    z.string(),
    z.record(z.string(), z.object({ throttled: z.number(), conflicted: z.number() })),
  ),
});

let system: System;
/** All responses with a status of 500 or more. The last test checks them. */
const troubles: { readonly what: string; readonly answer: ApiAnswer<unknown> }[] = [];

beforeAll(async () => {
  system = await startSystem({ arguments: ['--adverse'] });
});
afterAll(() => system?.dispose());

/** Repeats a call until the answer is not 503, as a customer would. */
const persist = <Json>(what: string, url: string, call: ApiCall = {}): Promise<ApiAnswer<Json>> =>
  waitFor(async () => {
    const answer = await callApi<Json>(url, call);
    if (answer.status >= 500) troubles.push({ what, answer });
    expect(answer.status).not.toBe(503);
    return answer;
  }, patient);

const application = () => {
  const [found] = system.outputs.applications;
  if (!found) throw new Error('a demonstration application is expected');
  return found;
};

describe('under throttling, conflicts, delays, lagging indexes and freezing functions', () => {
  it('every mint is made once and confirmed', async () => {
    const contracts = `${system.outputs.base_url}/api/v1/nft/contracts`;
    const key = application().api_key;
    const created = await persist<{ address: string }>('create', `${contracts}/`, {
      key,
      headers: { 'Idempotency-Key': 'collection' },
      body: { name: 'T', symbol: 'T', description: 'd', chain: 'MATIC', image: null, media: [] },
    });
    expect(created.status).toBe(201);
    const collection = `${contracts}/${created.json.address}`;

    const minted = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        persist<{ id: string }>('mint', `${collection}/mint`, {
          key,
          headers: { 'Idempotency-Key': `seat-${number}` },
          body: { destination: receiver, metadata: { name: `Seat ${number}`, attributes: [] } },
        }),
      ),
    );

    expect(minted.map(({ status }) => status)).toEqual(minted.map(() => 201));
    const ids = new Set(minted.map(({ json }) => json.id));
    expect(ids.size).toBe(minted.length);
    await waitFor(async () => {
      for (const id of ids) {
        const { json } = await persist<{ status: string }>('token', `${collection}/tokens/${id}`, { key });
        expect(json.status).toBe('confirmed');
      }
    }, patient);
  });

  describe('a change of a user', () => {
    let endpoint: CustomerEndpoint;
    beforeAll(async () => {
      endpoint = await startCustomerEndpoint();
      const sns = new SNSClient(system.aws);
      const TopicArn = system.outputs.topic_arn;
      await sns.send(
        new SubscribeCommand({
          TopicArn,
          Protocol: 'http',
          Endpoint: endpoint.url,
          Attributes: { FilterPolicy: JSON.stringify({ application_id: [application().id] }) },
        }),
      );
      const token = await waitFor(() => {
        const [post] = endpoint.posted;
        return z.object({ Token: z.string() }).parse(post?.body).Token;
      }, patient);
      await sns.send(new ConfirmSubscriptionCommand({ TopicArn, Token: token }));
      const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
      expect(Subscriptions.filter(({ Endpoint }) => Endpoint === endpoint.url)).toHaveLength(1);
    });
    afterAll(() => endpoint?.stop());

    it('notifies the application, which can then read the new data', async () => {
      for (let number = 0; number < 5; number += 1) {
        const token = await system.token({ sub: `adverse-${number}`, client_id: 'test' });
        const written = await persist('write', `${system.outputs.api_url_profile}/user/data`, {
          method: 'PUT',
          token,
          body: { user_data: { email: 'adverse@example.com' } },
        });
        expect(written.status).toBe(200);
      }

      await waitFor(() => expect(notificationsOf(endpoint).length).toBeGreaterThanOrEqual(5), patient);

      const told = z
        .object({ application_user_sub: z.string() })
        .parse(JSON.parse(String(notificationsOf(endpoint).at(-1)?.body.Message)));
      const read = await persist('read', `${system.outputs.api_url_b2b}/user-data/read`, {
        key: application().api_key,
        body: told,
      });
      expect(read.status).toBe(200);
      expect(read.text).toContain('adverse@example.com');
    });
  });

  it('events and their streams are served', async () => {
    const events = `${system.outputs.base_url}/api/v3/ott/events`;
    const token = await system.token({ sub: 'viewer', client_id: application().client_id });

    const lists = await Promise.all(
      Array.from({ length: 8 }, () => persist<{ event_id: string }[]>('list', `${events}/`, { token })),
    );

    for (const { status, json } of lists) {
      expect(status).toBe(200);
      expect(json.length).toBeGreaterThan(0);
    }
    const [first] = lists[0]?.json ?? [];
    const event = await persist('event', `${events}/${first?.event_id}`, { token });
    expect(event.status).toBe(200);
  });

  it('calls of the database fail, and every 5xx response is a 503 with Retry-After', async () => {
    const { json } = await callApi(`${system.outputs.aws_endpoint_url}/_faults`);
    const counts = Object.values(faults.parse(json).databaseCalls).flatMap((each) => Object.values(each));
    const sum = (of: 'throttled' | 'conflicted') => counts.reduce((total, each) => total + each[of], 0);

    expect(sum('throttled')).toBeGreaterThan(0);
    expect(sum('conflicted')).toBeGreaterThan(0);
    expect(troubles.filter(({ answer }) => answer.status !== 503)).toEqual([]);
    expect(troubles.filter(({ answer }) => answer.headers.get('retry-after') === null)).toEqual([]);
  });
});
