import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { createPublicClient, type Hex, http } from 'viem';
import * as z from 'zod';
import { type Counted, type CountedUnits, countedFile } from '../../../operator/stage/scale/counted-units.ts';
import { batchTokensAtMost } from '../../../shared/nft/collections/limits.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { startCustomerEndpoint } from '../../../test/support/notifications/customer-endpoint.ts';
import { seededRandom } from '../../../test/support/platform/seeded-random.ts';
import { type System, startSystem } from '../../../test/support/platform/system.ts';
import { receiptOf } from '../blocks.ts';
import { httpCall } from '../http-call.ts';
import type { Measurement } from '../measurement.ts';
import { registerFan } from './fan.ts';
import { guideFile } from './guide.ts';
import { polygonMintGas } from './polygon-gas.ts';
import { systemCounts } from './system-counts.ts';
import { type Bill, costTables, dollarsOfMillion, totals, withTables } from './tables.ts';

const mints = 200;
const users = 100;
const lists = 400;
const applications = 5;
const goals: Partial<Record<Bill, number>> = {
  'A million mints': 30,
  'A million mints, each with an `Idempotency-Key`': 31.5,
  'A million changes to user data: five applications are notified of each change and read the data in batches of 100 users': 42,
  'Fifty million requests for a compressed list of 50 events, from viewers who are not signed in': 335,
  'Fifty million requests for a compressed list of 50 events, from viewers who are signed in': 335,
};

export const madeSchema = z.object({ api_key: z.string() });

/** Makes only a few calls at a time, so that the median call costs about as much as a call that runs alone. */
export const each = async (count: number, call: (index: number) => Promise<unknown>): Promise<void> => {
  await inParallel(
    Array.from({ length: count }, (_, index) => index),
    { atOnce: 3, run: call },
  );
};

export const operatorOf =
  (system: System) =>
  async (...words: readonly string[]): Promise<string> => {
    const outputs = join(system.stateDirectory, 'outputs.json');
    const argv = ['operator/main.ts', '--json', '--outputs', outputs, ...words];
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    return stdout;
  };

const random = seededRandom(50);
const words =
  'final cup night concert live arena training home derby stars winter summer story team goal road song light river harbour north crowd season second behind before under with from their what every'.split(
    ' ',
  );
/** Text that can be compressed no better than what editors really write. */
const someWords = (count: number): string =>
  Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');

const fiftyEvents = Array.from({ length: 50 }, (_, index) => ({
  event_id: `event-${index}`,
  title: someWords(4),
  description: someWords(30),
  status: 'VOD',
  access: index % 3 === 0 ? 'paid' : 'free',
  starts_at: new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString(),
  image: `https://images.example.com/${Math.floor(random() * 1e12).toString(36)}.jpg`,
  categories: ['football', `season-${index % 4}`],
  stream: { type: 'hls', url: `https://streams.example.com/event-${index}/index.m3u8` },
}));

/** The gas that the mint of so many tokens uses on Polygon. */
const gasOf = async (system: System, hash: Hex, tokens: number): Promise<number> => {
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  return polygonMintGas({ gas: Number((await receiptOf(chain, hash)).gasUsed), tokens });
};

const countMints = async (system: System, counts: ReturnType<typeof systemCounts>) => {
  const contracts = `${system.outputs.base_url}/api/v1/nft/contracts`;
  const post = async (path: string, json: unknown, key?: string) => {
    const headers = {
      'x-api-key': system.outputs.applications[0]?.api_key ?? '',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    return JSON.parse(await httpCall(`${contracts}${path}`, { method: 'POST', headers, json, status: 201 }));
  };
  const { address } = await post('', { name: 'Bill', symbol: 'B', chain: 'MATIC' });
  let owners = 0;
  const token = () => {
    owners += 1;
    return {
      // It does not begin with zero bytes: mints to such an address look up whether it stands for a user.
      destination: `0x${'b1'.repeat(16)}${owners.toString(16).padStart(8, '0')}`,
      metadata: { name: `Seat ${owners}`, image: 'https://images.example.com/seat.png', attributes: [] },
    };
  };
  // These mints are not measured. They warm up the functions, and the measured mints begin only when the collection is
  // on the chain.
  await each(20, () => post(`/${address}/mint`, token()));
  let hash: Hex = '0x';
  const mint = await counts.of(mints, () =>
    each(mints, async () => {
      ({ transaction_hash: hash } = await post(`/${address}/mint`, token()));
    }),
  );
  const gas = await gasOf(system, hash, 1);
  const mintWithKey = await counts.of(mints, () =>
    each(mints, (index) => post(`/${address}/mint`, token(), `order-${index}`)),
  );
  const batches = 5;
  const batch = await counts.of(batches, () =>
    each(batches, async () => {
      const tokens = Array.from({ length: batchTokensAtMost }, token);
      ({ transaction_hash: hash } = (await post(`/${address}/mint/batch`, { tokens })).tokens[0]);
    }),
  );
  if (process.env.BENCH_SHOWS) console.log(JSON.stringify({ mint, mintWithKey, batch }));
  return {
    mint,
    mintWithKey,
    batch,
    gas: { mint: gas, batch: await gasOf(system, hash, batchTokensAtMost) },
  };
};

/** Reservations of single tokens for one user, and gifts between two, without an `Idempotency-Key`. */
const countReservations = async (
  system: System,
  counts: ReturnType<typeof systemCounts>,
): Promise<Record<'reservation' | 'gift', Counted>> => {
  const headers = { 'x-api-key': system.outputs.applications[0]?.api_key ?? '' };
  const contracts = `${system.outputs.base_url}/api/v1/nft/contracts`;
  const destination = await registerFan(system, 'bill-fan');
  const post = (path: string, body: unknown) =>
    httpCall(`${contracts}${path}`, { method: 'POST', headers, json: body, status: 201 });
  const { address } = JSON.parse(await post('', { name: 'Bill', symbol: 'B', chain: 'MATIC' }));
  const metadata = { name: 'Seat', image: 'https://images.example.com/seat.png', attributes: [] };
  const reserve = () => post(`/${address}/mint`, { destination, metadata });
  await each(20, reserve);
  await counts.quiet();
  const reservation = await counts.of(mints, () => each(mints, reserve));
  const friend = await registerFan(system, 'bill-friend');
  const give = (index: number) =>
    httpCall(`${contracts}/${address}/tokens/${index + 1}/destination`, {
      method: 'PUT',
      headers,
      json: { destination: friend },
      status: 200,
    });
  await each(20, give);
  await counts.quiet();
  return { reservation, gift: await counts.of(mints, () => each(mints, (index) => give(index + 20))) };
};

const countChanges = async (
  system: System,
  counts: ReturnType<typeof systemCounts>,
  operator: ReturnType<typeof operatorOf>,
) => {
  await using endpoint = new AsyncDisposableStack();
  const keys = system.outputs.applications.map(({ id, api_key }) => ({ id, key: api_key }));
  while (keys.length < applications) {
    const id = `bill-${keys.length}`;
    const made = await operator('applications', 'create', id, '--name', id);
    keys.push({ id, key: madeSchema.parse(JSON.parse(made)).api_key });
  }
  const heard = new Map(keys.map(({ id }) => [id, new Set<string>()]));
  const sns = new SNSClient(system.aws);
  for (const { id } of keys) {
    const customer = await startCustomerEndpoint(async ({ body }) => {
      if (body.Type === 'SubscriptionConfirmation') {
        await (await fetch(String(body.SubscribeURL))).body?.cancel();
      }
      if (typeof body.application_user_sub === 'string') heard.get(id)?.add(body.application_user_sub);
      return 200;
    });
    endpoint.defer(() => customer.stop());
    await sns.send(
      new SubscribeCommand({
        TopicArn: system.outputs.topic_arn,
        Protocol: 'http',
        Endpoint: customer.url,
        Attributes: { RawMessageDelivery: 'true', FilterPolicy: JSON.stringify({ application_id: [id] }) },
      }),
    );
  }
  const tokens = await Promise.all(
    Array.from({ length: users }, (_, index) => system.token({ sub: `bill-${index}`, client_id: 'bench' })),
  );
  const put = (index: number, change: number) =>
    httpCall(`${system.outputs.api_url_profile}/user/data`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${tokens[index % users]}` },
      json: { user_data: { email: `user-${index % users}@example.com`, club_id: '7', change } },
    });
  // A user's first change also creates the user's identifiers, so it is not measured.
  await each(users, (index) => put(index, 0));
  await counts.quiet();
  // One change of each user, because changes of one user that follow each other fast are published as one.
  const change = await counts.of(users, () => each(users, (index) => put(index, 1)));
  const own = [...(heard.get(keys[0]?.id ?? '') ?? [])];
  if (own.length !== users) throw new Error(`${own.length} of ${users} users were told of`);
  const read = (path: string, json: unknown) =>
    httpCall(`${system.outputs.api_url_b2b}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': keys[0]?.key ?? '', 'accept-encoding': 'gzip' },
      json,
    });
  const batch = () => read('/user-data/read/batch', { application_user_subs: own });
  const single = (index: number) => read('/user-data/read', { application_user_sub: own[index % users] });
  await Promise.all([batch(), single(0)]);
  const batchRead = await counts.of(40, () => each(40, batch));
  return { change, batchRead, read: await counts.of(2 * users, () => each(2 * users, single)) };
};

const countLists = async (
  system: System,
  counts: ReturnType<typeof systemCounts>,
  operator: ReturnType<typeof operatorOf>,
) => {
  const file = join(system.stateDirectory, 'fifty.json');
  writeFileSync(file, JSON.stringify(fiftyEvents));
  await operator('events', 'import', file);
  const token = await system.token({
    sub: 'bill-0',
    client_id: system.outputs.applications[0]?.client_id ?? '',
  });
  await httpCall(`${system.outputs.entitlement_url}/users/bill-0`, {
    method: 'PUT',
    json: { vip: false, purchases: ['event-0'] },
  });
  const call = (path: string, headers: Record<string, string> = {}) =>
    httpCall(`${system.outputs.base_url}/api/v3/ott/events/${path}`, {
      headers: { 'accept-encoding': 'gzip', ...headers },
    });
  const authorization = `Bearer ${token}`;
  const page = '?limit=50';
  await each(10, () => call(page));
  await each(10, () => call('event-0/stream', { authorization }));
  const before = await counts.look();
  const list = await counts.of(lists, () => each(lists, () => call(page)));
  const after = await counts.look();
  const [name = ''] = Object.keys(after.databaseCalls).filter((each) => each.includes('ListEvents'));
  const queries =
    (after.databaseCalls[name]?.Query?.answered ?? 0) - (before.databaseCalls[name]?.Query?.answered ?? 0);
  const listWithLogin = await counts.of(lists, () => each(lists, () => call(page, { authorization })));
  const stream = await counts.of(lists, () => each(lists, () => call('event-0/stream', { authorization })));
  return { list, listWithLogin, stream, listQueryUnits: (list.read * lists) / Math.max(1, queries) };
};

const rounded = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, each) => (typeof each === 'number' ? Number(each.toPrecision(4)) : each)),
  );

export const measureCost = async (): Promise<Measurement[]> => {
  const system = await startSystem({ arguments: ['--empty'] });
  try {
    const counts = systemCounts(system);
    const operator = operatorOf(system);
    await counts.start();
    const units: CountedUnits = rounded({
      ...(await countMints(system, counts)),
      ...(await countChanges(system, counts, operator)),
      ...(await countLists(system, counts, operator)),
    });
    writeFileSync(countedFile, `${JSON.stringify(units, undefined, 2)}\n`);
    writeFileSync(guideFile, withTables(readFileSync(guideFile, 'utf8'), costTables(units)));
    const measured = Object.entries(units).flatMap(([name, counted]) =>
      typeof counted === 'object' && 'requests' in counted ? described(name, counted) : [],
    );
    const dollars = Object.entries(totals(units)).map(([name, value]): Measurement => {
      const goal = goals[name as Bill];
      return goal === undefined
        ? { name, value, unit: '$' }
        : { name: `${name} (at most ${goal})`, value, unit: '$', holds: value <= goal };
    });
    const half = totals(units)['A million mints'] / 2;
    const { reservation, gift } = rounded(await countReservations(system, counts));
    const reserving = dollarsOfMillion(reservation);
    const reservations: Measurement = {
      name: `A million reservations (at most half of the mints, ${half.toFixed(2)})`,
      value: reserving,
      unit: '$',
      holds: reserving <= half,
    };
    return [
      ...measured,
      ...described('reservation', reservation),
      ...described('gift', gift),
      ...dollars,
      reservations,
    ];
  } finally {
    await system.dispose();
  }
};

export const described = (name: string, { write, read, bytesOut, logBytes }: Counted): Measurement[] => [
  { name: `${name}: write units`, value: write, unit: '' },
  { name: `${name}: read units`, value: read, unit: '' },
  { name: `${name}: bytes out, and logged`, value: bytesOut, unit: `and ${logBytes}` },
];
