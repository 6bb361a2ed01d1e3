import { setTimeout as delay } from 'node:timers/promises';
import {
  ListExecutionsCommand,
  ListStateMachinesCommand,
  paginateGetExecutionHistory,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { createPublicClient, http } from 'viem';
import { collectionAbi } from '../test/support/collection-abi.ts';
import { answers, startTinyServer } from '../test/support/ott/tiny-server.ts';
import { type System, startSystem } from '../test/support/system.ts';
import { againstBare, startAskingFunction, startBareFunction } from './bare-function.ts';
import { httpCall } from './http-call.ts';
import { interleaved, type Measurement } from './measurement.ts';

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const burst = 500;
const concurrency = 50;
const mostTransitions = 20;
const rounds = 150;

const nftCalls = ({ outputs }: System) => {
  const contracts = `${outputs.base_url}/api/v1/nft/contracts`;
  const headers = { 'x-api-key': outputs.applications[0]?.api_key ?? '' };
  const post = async (url: string, json: unknown) =>
    JSON.parse(await httpCall(url, { method: 'POST', headers, json, status: 201 })) as {
      readonly address: `0x${string}`;
    };
  return {
    read: async (contract: string, path: string): Promise<void> => {
      await httpCall(`${contracts}/${contract}/${path}`, { headers });
    },
    create: () => post(contracts, { name: 'Bench', symbol: 'B', chain: 'MATIC' }),
    mint: (contract: string) =>
      post(`${contracts}/${contract}/mint`, { destination: receiver, metadata: { name: 'Seat' } }),
  };
};

type Calls = ReturnType<typeof nftCalls>;

const measureHandlers = async (calls: Calls, contract: string): Promise<Measurement[]> => {
  await using server = await startTinyServer();
  server.behave(answers({}));
  await using bareFunction = await startBareFunction();
  await using askingFunction = await startAskingFunction(server);
  const [bare, asking, create, mint, list, token] = await interleaved({
    rounds,
    tasks: [
      bareFunction.call,
      askingFunction.call,
      async () => void (await calls.create()),
      async () => void (await calls.mint(contract)),
      () => calls.read(contract, 'tokens?limit=50'),
      () => calls.read(contract, 'tokens/1'),
    ],
  });
  return [
    againstBare({ name: 'mint a token', milliseconds: mint, bare }),
    againstBare({ name: 'list 50 tokens', milliseconds: list, bare }),
    againstBare({ name: 'get a token', milliseconds: token, bare }),
    againstBare({ name: 'create a contract', milliseconds: create, bare }),
    againstBare({ name: 'ask once for nothing', milliseconds: asking, bare }),
    { name: 'the bare function behind the gateway', value: bare, unit: 'ms' },
  ];
};

/** Mints enough for the waiter's transitions to be those of a burst, and waits until all of them are on the chain. */
const burstOf = async (system: System, calls: Calls, count: number): Promise<void> => {
  const { address } = await calls.create();
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await calls.mint(address);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const mined = () =>
    chain.readContract({ address, abi: collectionAbi, functionName: 'balanceOf', args: [receiver] });
  while ((await mined()) < BigInt(count)) await delay(100);
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

/** What calls take, as multiples of a function that does nothing, and how many transitions the waiter needs. */
export const measureNft = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const calls = nftCalls(system);
  const { address } = await calls.create();
  for (let token = 0; token < 50; token += 1) await calls.mint(address);
  const handlers = await measureHandlers(calls, address);
  await burstOf(system, calls, burst);
  const transitions = (await countTransitions(system)) / ((50 + rounds + burst) / 1_000);
  return [
    ...handlers,
    {
      name: `state transitions of the waiter for 1,000 mints (at most ${mostTransitions})`,
      value: transitions,
      unit: '',
      holds: transitions <= mostTransitions,
    },
  ];
};
