import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  ListExecutionsCommand,
  ListStateMachinesCommand,
  paginateGetExecutionHistory,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { request } from 'undici';
import { createPublicClient, http } from 'viem';
import { callApi } from '../test/support/api-client.ts';
import { collectionAbi } from '../test/support/collection-abi.ts';
import { type System, startSystem } from '../test/support/system.ts';
import { interleaved, type Measurement } from './measurement.ts';

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const burst = 500;
const concurrency = 50;
const leastMintsPerSecond = 85;
const mostTransitions = 20;
const rounds = 40;

const startBareGateway = async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare-gateway.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

const nftCalls = ({ outputs }: System) => {
  const contracts = `${outputs.base_url}/api/v1/nft/contracts`;
  const key = outputs.applications[0]?.api_key ?? '';
  /** Takes less of the machine, which it shares with what it measures, than `fetch` does. */
  const post = async (url: string, body: unknown) => {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`POST ${url} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as { readonly address: `0x${string}` };
  };
  return {
    create: () => post(contracts, { name: 'Bench', symbol: 'B', chain: 'MATIC' }),
    mint: (contract: string) =>
      post(`${contracts}/${contract}/mint`, { destination: receiver, metadata: { name: 'Seat' } }),
  };
};

type Calls = ReturnType<typeof nftCalls>;

const measureHandlers = async (calls: Calls, contract: string): Promise<Measurement[]> => {
  const bareGateway = await startBareGateway();
  try {
    const [bare, create, mint] = await interleaved({
      rounds,
      tasks: [
        async () => void (await callApi(bareGateway.url, { body: {} })),
        async () => void (await calls.create()),
        async () => void (await calls.mint(contract)),
      ],
    });
    return [
      { name: 'bare function behind the gateway', value: bare, unit: 'ms' },
      { name: 'create a contract', value: create, unit: 'ms' },
      { name: '  against the bare function', value: create / bare, unit: '×' },
      { name: 'mint a token', value: mint, unit: 'ms' },
      { name: '  against the bare function', value: mint / bare, unit: '×' },
    ];
  } finally {
    await bareGateway.stop();
  }
};

/** Seconds from the first request until the chain has mined the last, begun `wait` milliseconds after a block. */
const measureBurst = async (system: System, calls: Calls, wait: number): Promise<number> => {
  const { address } = await calls.create();
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  const before = await chain.getBlockNumber();
  while ((await chain.getBlockNumber()) === before) await delay(10);
  await delay(wait);

  const began = performance.now();
  let left = burst;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await calls.mint(address);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const mined = () =>
    chain.readContract({ address, abi: collectionAbi, functionName: 'balanceOf', args: [receiver] });
  while ((await mined()) < BigInt(burst)) await delay(25);
  return (performance.now() - began) / 1_000;
};

/**
 * The last mint of a burst waits for its block, up to a second, which is a fifth of the time: bursts begin at
 * moments spread over a block, so that the mean has the mean of that wait and not whatever one moment gives.
 */
const measureBursts = async (system: System, calls: Calls) => {
  const cold = await measureBurst(system, calls, 0);
  const warm: number[] = [];
  for (const wait of [0, 250, 500, 750]) warm.push(await measureBurst(system, calls, wait));
  const mean = warm.reduce((sum, seconds) => sum + seconds, 0) / warm.length;
  return { cold: burst / cold, warm: burst / mean, mints: burst * (1 + warm.length) };
};

/** State transitions of all executions of the waiter so far. */
const countTransitions = async ({ outputs }: System): Promise<number> => {
  const client = new SFNClient({
    endpoint: outputs.aws_endpoint_url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  const stateMachineArn = stateMachines[0]?.stateMachineArn;
  const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn }));
  let transitions = 0;
  for (const { executionArn } of executions) {
    for await (const { events = [] } of paginateGetExecutionHistory({ client }, { executionArn })) {
      transitions += events.filter(({ type }) => type?.endsWith('StateEntered')).length;
    }
  }
  client.destroy();
  return transitions;
};

export const measureNft = async (): Promise<Measurement[]> => {
  const system = await startSystem({ arguments: ['--empty'] });
  try {
    const calls = nftCalls(system);
    const { address } = await calls.create();
    const handlers = await measureHandlers(calls, address);
    const { cold, warm, mints } = await measureBursts(system, calls);
    const transitions = (await countTransitions(system)) / (mints / 1_000);
    return [
      ...handlers,
      {
        name: `burst of ${burst} mints, ${concurrency} at once (at least ${leastMintsPerSecond})`,
        value: warm,
        unit: 'mints/s',
        holds: warm >= leastMintsPerSecond,
      },
      { name: '  the first, with code that never ran', value: cold, unit: 'mints/s' },
      {
        name: `state transitions of the waiter for 1,000 mints (at most ${mostTransitions})`,
        value: transitions,
        unit: '',
        holds: transitions <= mostTransitions,
      },
    ];
  } finally {
    await system.dispose();
  }
};
