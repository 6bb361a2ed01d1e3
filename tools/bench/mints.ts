import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPublicClient, http, parseAbiItem } from 'viem';
import * as z from 'zod';
import { collectionAbi } from '../../test/support/nft/collection-abi.ts';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { type Confirmations, watchConfirmations } from './confirmations.ts';
import { type Measurement, median, percentile } from './measurement.ts';
import { type MintCalls, mintCalls, receiver } from './mint-calls.ts';
import { processTreeCpuMilliseconds, processTreeUse } from './processes.ts';
import { askChainAt, startRpcCounter } from './rpc-counter.ts';
import { undisturbed } from './undisturbed.ts';

const connections = 32;
const mints = 1_000;
const warmUpMints = 300;
const rounds = 5;
const leastOfReference = 0.75;
const transfer = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
);

interface Round {
  /** From the first request until the last mint was mined. */
  readonly seconds: number;
  /** Milliseconds. */
  readonly accepted: readonly number[];
  /**
   * Milliseconds from the response until the service reports the confirmation. For the reference implementation: from
   * sending the transaction until it is mined.
   */
  readonly settled: readonly number[];
  readonly cpuMilliseconds: number;
}

const referenceRound = z.object({
  seconds: z.number(),
  accepted: z.array(z.number()),
  mined: z.array(z.number()),
  cpuMilliseconds: z.number(),
});

const runReference = async (rpcUrl: string): Promise<Round> => {
  const program = fileURLToPath(new URL('reference.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, rpcUrl, String(mints)], {
    maxBuffer: 2 ** 24,
  });
  const { mined, ...round } = referenceRound.parse(JSON.parse(stdout));
  return { ...round, settled: mined };
};

interface Tally {
  lost: number;
  doubled: number;
}

const runMarquee = async (
  system: System,
  calls: MintCalls,
  confirmations: Confirmations,
  tally: Tally,
): Promise<Round> => {
  const contract = await calls.create();
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  const address = contract as `0x${string}`;
  const from = await chain.getBlockNumber();
  const transfers = () => chain.getLogs({ address, event: transfer, fromBlock: from });
  const mined = () =>
    chain.readContract({ address, abi: collectionAbi, functionName: 'balanceOf', args: [receiver] });
  const cpuBefore = processTreeCpuMilliseconds(system.pid());
  const began = performance.now();
  const applicationId = system.outputs.applications[0]?.id ?? '';
  const confirmed = confirmations.until({ contract, applicationId, count: () => mints });
  const answers = await calls.run(contract, mints);
  while ((await mined()) < BigInt(mints)) await delay(50);
  const seconds = (performance.now() - began) / 1_000;
  const confirmedAt = await confirmed;
  const cpuMilliseconds = processTreeCpuMilliseconds(system.pid()) - cpuBefore;
  const minted = (await transfers()).map(({ args }) => String(args.tokenId));
  tally.lost += answers.filter(({ id }) => !minted.includes(id)).length;
  tally.doubled += minted.length - new Set(answers.map(({ id }) => id)).size;
  return {
    seconds,
    accepted: answers.map(({ milliseconds }) => milliseconds),
    settled: answers.map(({ id, at }) => Math.max(0, (confirmedAt.get(id) ?? Number.NaN) - at)),
    cpuMilliseconds,
  };
};

const faults = z.looseObject({
  databaseCalls: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number()))),
  otherCalls: z.record(z.string(), z.record(z.string(), z.number())),
});

const callsOfFunction = async (system: System, part: string): Promise<Map<string, number>> => {
  const response = await fetch(`${system.outputs.aws_endpoint_url}/_faults`);
  const { databaseCalls, otherCalls } = faults.parse(await response.json());
  const counted = new Map<string, number>();
  const add = (name: string, count: number) => counted.set(name, (counted.get(name) ?? 0) + count);
  for (const [caller, operations] of Object.entries(databaseCalls)) {
    if (!caller.includes(part)) continue;
    for (const [name, outcomes] of Object.entries(operations)) {
      add(
        `DynamoDB ${name}`,
        Object.values(outcomes).reduce((sum, one) => sum + one, 0),
      );
    }
  }
  for (const [caller, operations] of Object.entries(otherCalls)) {
    if (caller.includes(part)) for (const [name, count] of Object.entries(operations)) add(name, count);
  }
  return counted;
};

const line = (name: string, value: number, unit: string, holds?: boolean): Measurement => ({
  name,
  value,
  unit,
  ...(holds !== undefined && { holds }),
});

const compare = (marquee: readonly Round[], reference: readonly Round[]): Measurement[] => {
  const of = (side: readonly Round[], value: (round: Round) => number) => median(side.map(value));
  const perSecond = (round: Round) => mints / round.seconds;
  const at = (share: number, what: 'accepted' | 'settled') => (round: Round) =>
    percentile(round[what], share);
  const ratio = median(
    marquee.map((round, index) => perSecond(round) / perSecond(reference[index] ?? round)),
  );
  const figures = (name: string, side: readonly Round[], settled: string) => [
    line(`${name}: mined`, of(side, perSecond), 'mints/s'),
    ...[0.5, 0.95, 0.99].map((share) =>
      line(`  accepting, p${share * 100}`, of(side, at(share, 'accepted')), 'ms'),
    ),
    ...[0.5, 0.95, 0.99].map((share) =>
      line(`  ${settled}, p${share * 100}`, of(side, at(share, 'settled')), 'ms'),
    ),
    line(
      `  processor time per mint`,
      of(side, (round) => round.cpuMilliseconds / mints),
      'ms',
    ),
  ];
  return [
    line(
      `mined a second, relative to the reference (at least ${leastOfReference})`,
      ratio,
      '×',
      ratio >= leastOfReference,
    ),
    line(
      '  p95 of accepting, relative to the reference',
      of(marquee, at(0.95, 'accepted')) / of(reference, at(0.95, 'accepted')),
      '×',
    ),
    ...figures('Marquee', marquee, 'accepted to confirmed'),
    ...figures('reference', reference, 'sent to mined'),
  ];
};

const startMarquee = async () => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const calls = mintCalls(system, { connections, application: system.outputs.applications[0] });
  cleanup.defer(() => calls.stop());
  const resources = cleanup.move();
  return { system, calls, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

/**
 * Counts how many calls to AWS and to the chain a mint makes. Starts a separate system for this: in the compared
 * system, the relay that counts the calls would use processor time.
 */
const countCalls = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const { system, calls } = cleanup.use(await startMarquee());
  const relay = await startRpcCounter(system.outputs.chain_rpc_url);
  cleanup.defer(() => relay.stop());
  await askChainAt(system, relay.url);
  await calls.run(await calls.create(), warmUpMints);
  const sent = () => relay.counts().eth_sendRawTransaction ?? 0;
  const [before, sentBefore] = [await callsOfFunction(system, 'MintToken'), sent()];
  await calls.run(await calls.create(), mints);
  const after = await callsOfFunction(system, 'MintToken');
  return [
    ...[...after]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, count]) => line(`a mint's calls: ${name}`, (count - (before.get(name) ?? 0)) / mints, '')),
    line("a mint's calls: sending to the chain", (sent() - sentBefore) / mints, ''),
  ];
};

/** Runs Marquee and the reference in turns, and alternates which of the two runs first. */
const compareInTurns = async (): Promise<Measurement[]> => {
  await using started = await startMarquee();
  const { system, calls } = started;
  await calls.run(await calls.create(), warmUpMints);
  const confirmations = await watchConfirmations(system);
  const referenceUrl = system.outputs.chain_rpc_url;
  const tally: Tally = { lost: 0, doubled: 0 };
  const [marquee, reference]: [Round[], Round[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const turns = [
        async () =>
          void marquee.push(await undisturbed(() => runMarquee(system, calls, confirmations, tally))),
        async () => void reference.push(await undisturbed(() => runReference(referenceUrl))),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
  } finally {
    confirmations.stop();
  }
  return [
    ...compare(marquee, reference),
    line('lost', tally.lost, '', tally.lost === 0),
    line('doubled', tally.doubled, '', tally.doubled === 0),
    ...processTreeUse(system.pid())
      .filter(({ residentMegabytes }) => residentMegabytes >= 5)
      .map(({ name, residentMegabytes }) => line(`memory of ${name}`, residentMegabytes, 'MB')),
  ];
};

export const measureMints = async (): Promise<Measurement[]> => [
  ...(await compareInTurns()),
  ...(await countCalls()),
];
