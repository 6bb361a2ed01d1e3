import { setTimeout as delay } from 'node:timers/promises';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  type CustomerEndpoint,
  type Posted,
  startCustomerEndpoint,
} from '../../test/support/notifications/customer-endpoint.ts';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { httpCall } from './http-call.ts';
import { callAtRate } from './load.ts';
import { type Measurement, percentile } from './measurement.ts';
import { partsCpuMilliseconds } from './processes.ts';

const USERS = 100;
const AT_ONCE = 8;
const ROUNDS = 4;
/** This is longer than SNS waits for an answer, so that each delivery to the slow endpoint takes the maximum time. */
const SLOW_MILLISECONDS = 20_000;
const DELAY_LIMIT = 1.5;
/** The number of users in one request for application user subs. */
const AT_ONCE_ASKED = 100;
const PER_SECOND = 200;
/**
 * At `PER_SECOND`, each of these users is changed every five seconds. So a notification that arrives within five
 * seconds is about the user's latest change.
 */
const RATED_USERS = 1_000;
const RATE_SECONDS = 30;
const RATE_P95_MILLISECONDS = 500;

interface Customer {
  readonly endpoint: CustomerEndpoint;
  readonly posted: (listener: (post: Posted) => void) => void;
}

const startCustomer = async (isSlow: () => boolean): Promise<Customer> => {
  let tell: (post: Posted) => void = () => {};
  const endpoint = await startCustomerEndpoint(async (post) => {
    if (post.body.Type === 'SubscriptionConfirmation') {
      await (await fetch(String(post.body.SubscribeURL))).body?.cancel();
      return 200;
    }
    tell(post);
    if (isSlow()) await new Promise((resolve) => setTimeout(resolve, SLOW_MILLISECONDS).unref());
    return 200;
  });
  return {
    endpoint,
    posted: (listener) => {
      tell = listener;
    },
  };
};

const subscribe = async (system: System, endpoint: CustomerEndpoint, applicationId: string) => {
  const client = new SNSClient(system.aws);
  await client.send(
    new SubscribeCommand({
      TopicArn: system.outputs.topic_arn,
      Protocol: 'http',
      Endpoint: endpoint.url,
      Attributes: {
        FilterPolicy: JSON.stringify({ application_id: [applicationId] }),
        RawMessageDelivery: 'true',
      },
    }),
  );
  const pollUntil = performance.now() + 20_000;
  while (endpoint.posted.length === 0) {
    if (performance.now() > pollUntil) throw new Error('The endpoint was not asked to confirm');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  client.destroy();
};

interface Pass {
  /**
   * For each change, the milliseconds from its PUT until its notification arrived at the customer. In ascending order.
   */
  readonly latencies: readonly number[];
  readonly changesPerSecond: number;
}

const registerUsers = async (
  system: System,
  apiKey: string,
  { prefix, count }: { readonly prefix: string; readonly count: number },
) => {
  const users: { readonly token: string; readonly sub: string }[] = [];
  for (let first = 0; first < count; first += AT_ONCE_ASKED) {
    const size = Math.min(AT_ONCE_ASKED, count - first);
    const names = Array.from({ length: size }, (_, index) => `${prefix}-${first + index}`);
    const tokens = await Promise.all(names.map((sub) => system.token({ sub, client_id: 'bench' })));
    const left = tokens.values();
    const work = async () => {
      for (const token of left) await put(system, token, 0);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const response = await fetch(`${system.outputs.api_url_b2b}/vendor/user-subs/get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ user_subs: names }),
    });
    const { user_subs } = (await response.json()) as { user_subs: { application_user_sub: string }[] };
    for (const [index, { application_user_sub: sub }] of user_subs.entries()) {
      users.push({ token: tokens[index] ?? '', sub });
    }
  }
  return users;
};

const put = async (system: System, token: string, change: number): Promise<void> => {
  await httpCall(`${system.outputs.api_url_profile}/user/data`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    json: { user_data: { change } },
  });
};

let changes = 0;

/** Changes each user once. Ends when the measured customer has been notified of all these changes. */
const pass = async (
  system: System,
  { posted }: Customer,
  users: Awaited<ReturnType<typeof registerUsers>>,
): Promise<Pass> => {
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const heard = new Promise<void>((resolve) => {
    posted(({ body }) => {
      const started = sentAt.get(String(body.application_user_sub));
      if (started === undefined) return;
      sentAt.delete(String(body.application_user_sub));
      latencies.push(performance.now() - started);
      if (latencies.length === users.length) resolve();
    });
  });
  const began = performance.now();
  const queue = users.values();
  const work = async () => {
    for (const { token, sub } of queue) {
      sentAt.set(sub, performance.now());
      changes += 1;
      await put(system, token, changes);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await heard;
  return {
    latencies: latencies.sort((a, b) => a - b),
    changesPerSecond: users.length / ((performance.now() - began) / 1_000),
  };
};

/**
 * Makes changes at a steady rate, without waiting for earlier ones. Measures how many are delivered, and how long each
 * takes.
 */
const atRate = async (
  system: System,
  { posted }: Customer,
  users: Awaited<ReturnType<typeof registerUsers>>,
) => {
  // Several changes of a user may share one notification, so each change is matched with the first POST that follows
  // it.
  const waiting = new Map<string, number[]>();
  const latencies: number[] = [];
  const began = performance.now();
  let toldAt = began;
  posted(({ body }) => {
    const sub = String(body.application_user_sub);
    toldAt = performance.now();
    for (const startedAt of waiting.get(sub) ?? []) latencies.push(toldAt - startedAt);
    waiting.delete(sub);
  });
  const before = partsCpuMilliseconds(system.pid());
  const load = callAtRate(PER_SECOND, async (index) => {
    const user = users[index % users.length];
    if (user === undefined) return;
    waiting.set(user.sub, [...(waiting.get(user.sub) ?? []), performance.now()]);
    changes += 1;
    await put(system, user.token, changes);
  });
  await delay(RATE_SECONDS * 1_000);
  await load.stop();
  const deadline = performance.now() + 60_000;
  while (waiting.size > 0 && performance.now() < deadline) await delay(50);
  const after = partsCpuMilliseconds(system.pid());
  return {
    sent: load.answered(),
    refused: load.refused().length,
    missing: waiting.size,
    latencies,
    perSecond: latencies.length / ((toldAt - began) / 1_000),
    nodeMilliseconds: (after.node - before.node) / load.answered(),
    databaseMilliseconds: (after.database - before.database) / load.answered(),
  };
};

const rateMeasurements = (where: string, measured: Awaited<ReturnType<typeof atRate>>): Measurement[] => {
  const { sent, refused, missing, latencies } = measured;
  const p95 = percentile(latencies, 0.95);
  const wanted = PER_SECOND * RATE_SECONDS;
  return [
    {
      name: `${PER_SECOND} changes a second for ${RATE_SECONDS} s${where}: accepted`,
      value: sent,
      unit: `of ${wanted}`,
      holds: sent >= wanted * 0.98,
    },
    {
      name: '  refused, or never notified of',
      value: refused + missing,
      unit: '',
      holds: refused + missing === 0,
    },
    { name: '  delivery rate, until the last delivery', value: measured.perSecond, unit: 'changes/s' },
    { name: '  processor time per change: node', value: measured.nodeMilliseconds, unit: 'ms' },
    { name: '    database', value: measured.databaseMilliseconds, unit: 'ms' },
    { name: '  PUT to POST, p50', value: percentile(latencies, 0.5), unit: 'ms' },
    {
      name: `  PUT to POST, p95 (at most ${RATE_P95_MILLISECONDS})`,
      value: p95,
      unit: 'ms',
      holds: p95 <= RATE_P95_MILLISECONDS,
    },
  ];
};

const together = (passes: readonly Pass[]): readonly number[] =>
  passes.flatMap(({ latencies }) => latencies).sort((a, b) => a - b);

/**
 * Measures the time from a PUT to the POST at one customer, while another customer's endpoint alternates between
 * answering fast and hanging.
 */
export const measureUserData = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  let isSlow = false;
  const measured = await startCustomer(() => false);
  const other = await startCustomer(() => isSlow);
  cleanup.defer(() => measured.endpoint.stop());
  cleanup.defer(() => other.endpoint.stop());
  const [first, second] = system.outputs.applications;
  if (first === undefined || second === undefined) throw new Error('There are two applications');
  await subscribe(system, measured.endpoint, first.id);
  await subscribe(system, other.endpoint, second.id);
  const users = await registerUsers(system, first.api_key, { prefix: 'bench', count: USERS });
  const rated = await registerUsers(system, first.api_key, { prefix: 'rated', count: RATED_USERS });
  await pass(system, measured, users);

  const quick: Pass[] = [];
  const slow: Pass[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    isSlow = false;
    quick.push(await pass(system, measured, users));
    isSlow = true;
    slow.push(await pass(system, measured, users));
  }

  isSlow = false;
  // A warm-up. Meanwhile, the other customer accepts the deliveries that it left unanswered in the rounds above.
  await atRate(system, measured, rated);
  const steady = rateMeasurements('', await atRate(system, measured, rated));
  isSlow = true;
  const steadyBeside = rateMeasurements(' beside a hanging customer', await atRate(system, measured, rated));

  const [beside, alone] = [together(slow), together(quick)];
  const ratio = (share: number) => percentile(beside, share) / percentile(alone, share);
  const perSecond = quick.reduce((sum, { changesPerSecond }) => sum + changesPerSecond, 0) / ROUNDS;
  return [
    ...steady,
    ...steadyBeside,
    { name: 'changes of users, PUT to POST', value: perSecond, unit: 'changes/s' },
    { name: 'PUT to POST, p50', value: percentile(alone, 0.5), unit: 'ms' },
    { name: 'PUT to POST, p99', value: percentile(alone, 0.99), unit: 'ms' },
    {
      name: `  p50 beside a hanging customer (at most ${DELAY_LIMIT})`,
      value: ratio(0.5),
      unit: '×',
      holds: ratio(0.5) <= DELAY_LIMIT,
    },
    { name: '  p99 beside a hanging customer', value: ratio(0.99), unit: '×' },
  ];
};
