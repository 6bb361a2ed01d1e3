import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Agent, request } from 'undici';
import { dynamoDbCatalogue } from '../shared/adapters/dynamodb/catalogue.ts';
import { anEvent } from '../test/support/ott/builders.ts';
import { type System, startSystem } from '../test/support/system.ts';
import type { Measurement } from './measurement.ts';

const mostSlowerMilliseconds = 300;
const mostSlowerFirstMilliseconds = 1_500;
const mostRecoveryMilliseconds = 5_000;
const leastShareOfMints = 0.8;
const callers = 200;
const mintClients = 8;
/** Longer than a service is left alone, so that calls which try it again are among those measured. */
const lookMilliseconds = 5_000;
const mintingMilliseconds = 6_000;

type Mode = 'ok' | 'slow' | 'down';

interface Timed {
  readonly status: number;
  readonly milliseconds: number;
}

/** What a viewer with a purchase asks for, and what it is answered while the entitlement service says nothing. */
const paths = {
  list: { path: '/', whileSilent: 200 },
  event: { path: '/paid', whileSilent: 200 },
  'free stream': { path: '/free/stream', whileSilent: 200 },
  'paid stream': { path: '/paid/stream', whileSilent: 503 },
} as const;
type Path = (typeof paths)[keyof typeof paths];

const connect = async (system: System) => {
  const { base_url, entitlement_url, applications } = system.outputs;
  const [application] = applications;
  if (application === undefined) throw new Error('A demonstration application is expected');
  const dispatcher = new Agent({ connections: callers + mintClients });
  const token = await system.token({ sub: 'viewer', client_id: application.client_id });
  const put = async (path: string, body: unknown): Promise<void> => {
    const answer = await request(`${entitlement_url}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`PUT ${path} answered ${answer.statusCode}`);
  };
  const timed = async (call: () => ReturnType<typeof request>): Promise<Timed> => {
    const startedAt = performance.now();
    const { statusCode, body } = await call();
    await body.dump();
    return { status: statusCode, milliseconds: performance.now() - startedAt };
  };
  const contracts = `${base_url}/api/v1/nft/contracts`;
  const nftHeaders = { 'content-type': 'application/json', 'x-api-key': application.api_key };
  const post = (url: string, body: unknown) =>
    request(url, { method: 'POST', headers: nftHeaders, body: JSON.stringify(body), dispatcher });

  await put('/users/viewer', { purchases: ['paid'] });
  const created = await post(contracts, { name: 'Bench', symbol: 'B', chain: 'MATIC' });
  const { address } = (await created.body.json()) as { readonly address: string };
  return {
    behave: (mode: Mode) => put('/behaviour', { mode }),
    ask: ({ path }: Path) =>
      timed(() =>
        request(`${base_url}/api/v3/ott/events${path}`, {
          headers: { authorization: `Bearer ${token}` },
          dispatcher,
        }),
      ),
    mint: () =>
      timed(() =>
        post(`${contracts}/${address}/mint`, {
          destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
          metadata: { name: 'Seat' },
        }),
      ),
    close: () => dispatcher.close(),
  };
};

type Calls = Awaited<ReturnType<typeof connect>>;

const during = async <Result>(milliseconds: number, call: () => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) results.push(await call());
  return results;
};

const most = (calls: readonly Timed[]): number => Math.max(...calls.map(({ milliseconds }) => milliseconds));
const median = (calls: readonly Timed[]): number =>
  calls.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[Math.floor(calls.length / 2)] ??
  Number.NaN;

/** Waits until a service that was left alone is asked again. */
const settle = async ({ behave, ask }: Calls): Promise<void> => {
  await behave('ok');
  // It is tried again two seconds after the last time.
  await delay(2_500);
  for (const path of Object.values(paths)) {
    for (let good = 0; good < 2; ) good = (await ask(path)).status === 200 ? good + 1 : 0;
  }
};

/** One caller of each kind, whose calls therefore go to one environment. */
const measureCalls = async (calls: Calls): Promise<Measurement[]> => {
  const { behave, ask } = calls;
  const measurements: Measurement[] = [];
  let others = 0;
  let firstSlower = 0;
  let slower = 0;
  let recovery = 0;
  for (const path of [paths.list, paths.event, paths['paid stream']]) {
    await settle(calls);
    await behave('down');
    const refused = await during(2_000, () => ask(path));
    await behave('slow');
    const first = await ask(path);
    const later = await during(lookMilliseconds, () => ask(path));
    const free = path === paths['paid stream'] ? await during(500, () => ask(paths['free stream'])) : [];
    firstSlower = Math.max(firstSlower, first.milliseconds - median(refused));
    slower = Math.max(slower, most(later) - median(refused));
    others += [first, ...later].filter(({ status }) => status !== path.whileSilent).length;
    others += free.filter(({ status }) => status !== 200).length;
    if (path !== paths['paid stream']) continue;
    await behave('ok');
    const healedAt = performance.now();
    while ((await ask(path)).status !== 200) await delay(20);
    recovery = performance.now() - healedAt;
  }
  measurements.push(
    {
      name: `first call of an environment, slower than while it refuses (at most ${mostSlowerFirstMilliseconds})`,
      value: firstSlower,
      unit: 'ms',
      holds: firstSlower <= mostSlowerFirstMilliseconds,
    },
    {
      name: `slowest of all later calls, slower than while it refuses (at most ${mostSlowerMilliseconds})`,
      value: slower,
      unit: 'ms',
      holds: slower <= mostSlowerMilliseconds,
    },
    {
      name: 'lists, events and free streams that were not 200, paid ones not 503 (none)',
      value: others,
      unit: '',
      holds: others === 0,
    },
    {
      name: `until a paid stream plays again (at most ${mostRecoveryMilliseconds})`,
      value: recovery,
      unit: 'ms',
      holds: recovery <= mostRecoveryMilliseconds,
    },
  );
  return measurements;
};

/** Mints a second while 200 callers ask for lists and streams. */
const mintsBeside = async ({ ask, mint }: Calls): Promise<number> => {
  const kinds = Object.values(paths);
  const isOver = new AbortController();
  const crowd = Array.from({ length: callers }, async (_, index) => {
    const path = kinds[index % kinds.length] ?? paths.list;
    while (!isOver.signal.aborted) await ask(path);
  });
  // The environments start, and each loses its one time-out.
  await delay(4_000);
  const minted = await Promise.all(
    Array.from({ length: mintClients }, () => during(mintingMilliseconds, mint)),
  );
  isOver.abort();
  await Promise.all(crowd);
  const failed = minted.flat().filter(({ status }) => status !== 201);
  if (failed.length > 0) throw new Error(`${failed.length} mints answered ${failed[0]?.status}`);
  return (minted.flat().length / mintingMilliseconds) * 1_000;
};

const measureMints = async (calls: Calls): Promise<Measurement[]> => {
  const rates = { ok: 0, slow: 0 };
  for (const mode of ['ok', 'slow', 'slow', 'ok'] as const) {
    await settle(calls);
    await calls.behave(mode);
    rates[mode] += (await mintsBeside(calls)) / 2;
  }
  const share = rates.slow / rates.ok;
  return [
    {
      name: `mints beside ${callers} callers of a sound entitlement service`,
      value: rates.ok,
      unit: 'mints/s',
    },
    { name: '  of one that hangs', value: rates.slow, unit: 'mints/s' },
    {
      name: `  share that is kept (at least ${leastShareOfMints})`,
      value: share,
      unit: '×',
      holds: share >= leastShareOfMints,
    },
  ];
};

export const measureHangingEntitlement = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const client = new DynamoDBClient(system.aws);
  cleanup.defer(() => client.destroy());
  const tableName = await system.stackOutput('EventsTable');
  await dynamoDbCatalogue({ client: DynamoDBDocumentClient.from(client), tableName }).write(
    (['free', 'paid'] as const).map((access) => ({
      after: anEvent({ id: access, access, status: 'VOD', endsAt: null }),
    })),
  );
  const calls = await connect(system);
  cleanup.defer(() => calls.close());
  return [...(await measureCalls(calls)), ...(await measureMints(calls))];
};
