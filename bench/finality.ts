import { setTimeout as delay } from 'node:timers/promises';
import { createPublicClient, http } from 'viem';
import { type System, startSystem } from '../test/support/system.ts';
import { receiptOf } from './blocks.ts';
import { askChainAt } from './chain-endpoint.ts';
import { type Confirmations, watchConfirmations } from './confirmations.ts';
import { type HeldFinality, startHeldFinality } from './held-finality.ts';
import { type Measurement, median } from './measurement.ts';
import { type MintCalls, mintCalls } from './mint-calls.ts';
import { partsCpuMilliseconds } from './processes.ts';
import { undisturbed } from './undisturbed.ts';

const connections = 32;
const warmUpMints = 300;
const burst = 2_000;
const rounds = 3;
const leastPerSecond = 400;
/** What anvil calls final is two blocks behind. */
const blocksToFinality = 3;

interface Bench {
  readonly system: System;
  readonly calls: MintCalls;
  readonly confirmations: Confirmations;
  readonly finality: HeldFinality;
}

interface Round {
  /** From the moment at which all is final until the last is confirmed. */
  readonly seconds: number;
  /** From then until the first one is. */
  readonly firstSeconds: number;
  /** Of a decision, meanwhile. */
  readonly nodeMilliseconds: number;
  readonly databaseMilliseconds: number;
}

/** Mints while nothing becomes final, and then all of it does at once. */
const runBurst = async ({ system, calls, confirmations, finality }: Bench): Promise<Round> => {
  const contract = await calls.create();
  const application = system.outputs.applications[0]?.id ?? '';
  await calls.run(contract, 1);
  await confirmations.until({ application, contract, count: () => 1 });
  finality.hold(true);
  const answers = await calls.run(contract, burst);
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  await Promise.all(answers.map(({ hash }) => receiptOf(chain, hash)));
  const minedAt = await chain.getBlockNumber();
  while ((await chain.getBlockNumber()) < minedAt + BigInt(blocksToFinality)) await delay(50);

  const early = await confirmations.until({ application, contract, count: () => 1 });
  if (early.size > 1) throw new Error(`${early.size - 1} were confirmed before they were final`);
  const before = partsCpuMilliseconds(system.pid());
  const began = performance.now();
  finality.hold(false);
  const confirmed = await confirmations.until({ application, contract, count: () => burst + 1 });
  const after = partsCpuMilliseconds(system.pid());
  const seenAt = answers.map(({ id }) => confirmed.get(id) ?? Number.NaN);
  return {
    seconds: (Math.max(...seenAt) - began) / 1_000,
    firstSeconds: (Math.min(...seenAt) - began) / 1_000,
    nodeMilliseconds: (after.node - before.node) / burst,
    databaseMilliseconds: (after.database - before.database) / burst,
  };
};

/** How fast a burst is decided that became final all at once. */
export const measureFinality = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const finality = await startHeldFinality(system.outputs.chain_rpc_url);
  cleanup.defer(() => finality.stop());
  await askChainAt(system, finality.url);
  const calls = mintCalls(system, { connections, keys: false, application: system.outputs.applications[0] });
  cleanup.defer(() => calls.stop());
  const confirmations = await watchConfirmations(system);
  cleanup.defer(() => confirmations.stop());
  await calls.run(await calls.create(), warmUpMints);

  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await undisturbed(() => runBurst({ system, calls, confirmations, finality })));
  }
  const of = (part: keyof Round) => median(measured.map((round) => round[part]));
  const perSecond = burst / of('seconds');
  return [
    {
      name: `decided a second, of ${burst} that became final at once (at least ${leastPerSecond})`,
      value: perSecond,
      unit: '/s',
      holds: perSecond >= leastPerSecond,
    },
    { name: '  until the last is confirmed', value: of('seconds'), unit: 's' },
    { name: '  until the first is', value: of('firstSeconds'), unit: 's' },
    { name: '  processor time of a decision: node', value: of('nodeMilliseconds'), unit: 'ms' },
    { name: '    database', value: of('databaseMilliseconds'), unit: 'ms' },
  ];
};
