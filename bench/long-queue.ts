import { createTestClient, getAddress, http, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { mintGasLimit } from '../shared/nft/collection/collection.ts';
import { collectionAbi } from '../test/support/collection-abi.ts';
import { type System, startSystem } from '../test/support/system.ts';
import { type Confirmations, watchConfirmations } from './confirmations.ts';
import { type Measurement, median, percentile } from './measurement.ts';
import { type MintCalls, mintCalls, receiver } from './mint-calls.ts';
import { processTreeCpuMilliseconds } from './processes.ts';
import { undisturbed } from './undisturbed.ts';

const connections = 32;
const warmUpMints = 500;
const short = 500;
const long = 5_000;
const rounds = 2;
/** Answers at the end of a round, when the most are waiting. */
const lastAnswers = 250;
const most = 1.2;

/** The chain of the system, which can be made to take hardly anything. */
const chainOf = async ({ outputs }: System) => {
  const node = createTestClient({
    chain: foundry,
    mode: 'anvil',
    transport: http(outputs.chain_rpc_url),
  }).extend(publicActions);
  const { gasLimit } = await node.getBlock();
  return {
    takeOneInABlock: () => node.setBlockGasLimit({ gasLimit: mintGasLimit(1) + 1n }),
    takeAll: () => node.setBlockGasLimit({ gasLimit }),
    mined: async (contract: string) =>
      Number(
        await node.readContract({
          address: getAddress(contract),
          abi: collectionAbi,
          functionName: 'balanceOf',
          args: [receiver],
        }),
      ),
  };
};

type SlowChain = Awaited<ReturnType<typeof chainOf>>;

interface Bench {
  readonly system: System;
  readonly calls: MintCalls;
  readonly chain: SlowChain;
  readonly confirmations: Confirmations;
}

interface Round {
  /** How many waited when the last was accepted. */
  readonly waiting: number;
  /** Of a mint, from its request until it is confirmed. */
  readonly cpuMilliseconds: number;
  /** The median of the last answers. */
  readonly acceptMilliseconds: number;
}

/** Lets a queue grow while the chain takes hardly anything, and then come to its end. */
const runQueue = async ({ system, calls, chain, confirmations }: Bench, mints: number): Promise<Round> => {
  const contract = await calls.create();
  const application = system.outputs.applications[0]?.id ?? '';
  await calls.run(contract, 1);
  await confirmations.until({ application, contract, count: () => 1 });
  await chain.takeOneInABlock();
  const cpuBefore = processTreeCpuMilliseconds(system.pid());
  const answers = await calls.run(contract, mints);
  const waiting = mints + 1 - (await chain.mined(contract));
  await chain.takeAll();
  await confirmations.until({ application, contract, count: () => mints + 1 });
  return {
    waiting,
    cpuMilliseconds: (processTreeCpuMilliseconds(system.pid()) - cpuBefore) / mints,
    acceptMilliseconds: percentile(
      answers.slice(-lastAnswers).map(({ milliseconds }) => milliseconds),
      0.5,
    ),
  };
};

/** What a mint costs behind thousands that wait, in turns with a short queue. */
export const measureLongQueue = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const [application] = system.outputs.applications;
  const calls = mintCalls(system, { connections, keys: false, application });
  cleanup.defer(() => calls.stop());
  const confirmations = await watchConfirmations(system);
  cleanup.defer(() => confirmations.stop());
  const bench = { system, calls, confirmations, chain: await chainOf(system) };
  await calls.run(await calls.create(), warmUpMints);

  const behind: { short: Round[]; long: Round[] } = { short: [], long: [] };
  const run = async (name: keyof typeof behind, mints: number) =>
    void behind[name].push(await undisturbed(() => runQueue(bench, mints)));
  for (let round = 0; round < rounds; round += 1) {
    await run('short', short);
    await run('long', long);
  }
  await run('short', short);

  const of = (name: keyof typeof behind, value: keyof Round) =>
    median(behind[name].map((round) => round[value]));
  const against = (name: string, value: keyof Round): Measurement => {
    const ratio = of('long', value) / of('short', value);
    return {
      name: `${name}, of that in a short one (at most ${most})`,
      value: ratio,
      unit: '×',
      holds: ratio <= most,
    };
  };
  return [
    against('processor time of a mint in a long queue', 'cpuMilliseconds'),
    against('accepting one at the end of a long queue', 'acceptMilliseconds'),
    ...(['short', 'long'] as const).flatMap((name) => [
      { name: `a ${name} queue: waiting when the last was accepted`, value: of(name, 'waiting'), unit: '' },
      { name: '  processor time of a mint', value: of(name, 'cpuMilliseconds'), unit: 'ms' },
      { name: '  accepting one at its end', value: of(name, 'acceptMilliseconds'), unit: 'ms' },
    ]),
  ];
};
