import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { createPublicClient, http } from 'viem';
import * as z from 'zod';
import { startCustomerEndpoint } from '../../test/support/notifications/customer-endpoint.ts';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { httpCall } from './http-call.ts';
import { callAtRate } from './load.ts';
import type { Measurement } from './measurement.ts';
import { processTreeUse } from './processes.ts';

const mintsPerSecond = 20;
const changesPerSecond = 50;
const listsPerSecond = 50;
const lookEveryMilliseconds = 15_000;
/** About 22 function threads of 50 MB each, and the engines: see docs/adr/aws-by-its-sdk.md. */
const mostNodeMegabytes = 1_300;
const mostChainMegabytes = 500;
const mostIdleMegabytes = 400;
const mostSecondsTakenBack = 15;
const savedState = z.object({ best_block_number: z.int() });
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const callsOf = ({ outputs }: System) => {
  const headers = { 'x-api-key': outputs.applications[0]?.api_key ?? '' };
  const contracts = `${outputs.base_url}/api/v1/nft/contracts`;
  const post = (url: string, json: unknown) => httpCall(url, { method: 'POST', headers, json, status: 201 });
  return {
    create: async () => {
      const { address } = JSON.parse(await post(contracts, { name: 'Soak', symbol: 'S', chain: 'MATIC' }));
      return String(address);
    },
    mint: async (contract: string) => {
      await post(`${contracts}/${contract}/mint`, { destination: receiver, metadata: { name: 'Seat' } });
    },
    list: async (contract: string) => {
      await httpCall(`${contracts}/${contract}/tokens?limit=50`, { headers });
    },
    change: async (token: string, change: number) => {
      await httpCall(`${outputs.api_url_profile}/user/data`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        json: { user_data: { change } },
      });
    },
  };
};

const subscribe = async (system: System, url: string): Promise<void> => {
  const client = new SNSClient(system.aws);
  await client.send(
    new SubscribeCommand({ TopicArn: system.outputs.topic_arn, Protocol: 'http', Endpoint: url }),
  );
  client.destroy();
};

interface Look {
  readonly seconds: number;
  readonly node: number;
  readonly chain: number;
  readonly database: number;
  readonly all: number;
  readonly cpuSeconds: number;
}

const look = (system: System, seconds: number): Look => {
  const tree = processTreeUse(system.pid());
  const of = (name: string) => tree.find((one) => one.name.startsWith(name))?.residentMegabytes ?? Number.NaN;
  return {
    seconds,
    node: tree[0]?.residentMegabytes ?? Number.NaN,
    chain: of('anvil'),
    database: of('dynoxide'),
    cpuSeconds: (tree[0]?.cpuMilliseconds ?? Number.NaN) / 1_000,
    all: tree.reduce((sum, { residentMegabytes }) => sum + residentMegabytes, 0),
  };
};

/** The growth in megabytes a minute, by least squares. */
const slope = (looks: readonly Look[], part: 'node' | 'chain'): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const minutes = looks.map(({ seconds }) => seconds / 60);
  const middle = mean(minutes);
  const level = mean(looks.map((one) => one[part]));
  const product = looks.reduce(
    (sum, one, index) => sum + ((minutes[index] ?? 0) - middle) * (one[part] - level),
    0,
  );
  return product / minutes.reduce((sum, one) => sum + (one - middle) ** 2, 0);
};

const row = ({ seconds, node, chain, database, all, cpuSeconds }: Look): string =>
  [
    `${seconds.toFixed(0).padStart(5)} s`,
    ...[node, chain, database, all, cpuSeconds].map((mb) => mb.toFixed(0).padStart(6)),
  ].join(' ');

const savedBlock = ({ stateDirectory }: System): number => {
  const file = readFileSync(join(stateDirectory, 'chain', 'state.json.gz'));
  return savedState.parse(JSON.parse(gunzipSync(file).toString('utf8'))).best_block_number;
};

/**
 * Measures the memory of the processes of `npm start` under minutes of mixed load, and how many blocks are lost when
 * `npm start` is killed.
 */
export const measureSoak = async ({ minutes }: { readonly minutes: number }): Promise<Measurement[]> => {
  const duration = minutes * 60_000;
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  await delay(5_000);
  const idle = look(system, 0);

  const endpoint = await startCustomerEndpoint(async ({ body }) => {
    if (body.Type === 'SubscriptionConfirmation') {
      await (await fetch(String(body.SubscribeURL))).body?.cancel();
    }
    return 200;
  });
  cleanup.defer(() => endpoint.stop());
  await subscribe(system, endpoint.url);
  const calls = callsOf(system);
  const contract = await calls.create();
  // Enough users that none of them reaches the limit of 60 changes in an hour.
  const users = Math.max(100, Math.ceil((changesPerSecond * duration) / 1_000 / 60));
  const tokens = await Promise.all(
    Array.from({ length: users }, (_, index) => system.token({ sub: `soak-${index}`, client_id: 'bench' })),
  );

  const loads = {
    mints: callAtRate(mintsPerSecond, () => calls.mint(contract)),
    changes: callAtRate(changesPerSecond, (index) => calls.change(tokens[index % users] ?? '', index)),
    lists: callAtRate(listsPerSecond, () => calls.list(contract)),
  };
  const began = performance.now();
  const looks: Look[] = [];
  console.log(
    `${''.padStart(7)} ${['node', 'anvil', 'dynox.', 'all', 'CPU s'].map((name) => name.padStart(6)).join(' ')}`,
  );
  while (performance.now() - began < duration) {
    await delay(lookEveryMilliseconds);
    const seen = look(system, (performance.now() - began) / 1_000);
    looks.push(seen);
    console.log(row(seen));
  }
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  const before = await chain.getBlockNumber();
  await system.kill();
  const saved = savedBlock(system);
  await Promise.all(Object.values(loads).map((load) => load.stop().catch(() => {})));
  const takenBack = Number(before) - saved;

  for (const [name, load] of Object.entries(loads)) {
    const reasons = Map.groupBy(load.refused(), (reason) => reason);
    for (const [reason, all] of [...reasons].slice(0, 5))
      console.log(`${name} failed ${all.length} times: ${reason}`);
  }
  const secondHalf = looks.slice(Math.floor(looks.length / 2));
  const last = looks.at(-1) ?? idle;
  return [
    ...Object.entries(loads).map(([name, load]) => ({
      name: `${name} answered`,
      value: load.answered() / (last.seconds || 1),
      unit: '/s',
    })),
    {
      name: `all processes, idle after the start (at most ${mostIdleMegabytes})`,
      value: idle.all,
      unit: 'MB',
      holds: idle.all <= mostIdleMegabytes,
    },
    {
      name: `node at the end (at most ${mostNodeMegabytes})`,
      value: last.node,
      unit: 'MB',
      holds: last.node <= mostNodeMegabytes,
    },
    { name: '  growth in the second half', value: slope(secondHalf, 'node'), unit: 'MB/min' },
    {
      name: `anvil at the end (at most ${mostChainMegabytes})`,
      value: last.chain,
      unit: 'MB',
      holds: last.chain <= mostChainMegabytes,
    },
    { name: '  growth in the second half', value: slope(secondHalf, 'chain'), unit: 'MB/min' },
    {
      name: `lost by a kill, at one block a second (at most ${mostSecondsTakenBack})`,
      value: takenBack,
      unit: 'blocks',
      holds: takenBack <= mostSecondsTakenBack,
    },
  ];
};
