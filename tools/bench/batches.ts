import { createPublicClient, type Hex, http, type PublicClient } from 'viem';
import type { Address } from '../../shared/chain/hex.ts';
import { encodeDeployment, encodeMintBatch, mintGasLimit } from '../../shared/nft/collections/collection.ts';
import { batchTokensAtMost } from '../../shared/nft/collections/limits.ts';
import { startAnvil } from '../../test/support/nft/anvil.ts';
import { aCollection, aSalt } from '../../test/support/nft/collections.ts';
import { localSigner } from '../../test/support/nft/local-signer.ts';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { emptiestFullBlock, receiptOf, type Sent, watchBlocks } from './blocks.ts';
import { type Confirmations, watchConfirmations } from './confirmations.ts';
import { type Measurement, median } from './measurement.ts';
import { type MintCalls, mintCalls } from './mint-calls.ts';

const batches = 20;
const clients = 8;
const singles = 300;
const rounds = 3;
const leastFilled = 0.8;
const tokens = batches * batchTokensAtMost;

/** Addresses that differ from all earlier ones, and that have never owned a token. */
let owners = 0;
const firstTimeOwners = (count: number): Address[] =>
  Array.from({ length: count }, () => {
    owners += 1;
    return `0x${(0xbb_0000_0000 + owners).toString(16).padStart(40, '0')}` as const;
  });

const perSecond = (count: number, began: number): number => count / ((performance.now() - began) / 1_000);

interface Bench {
  readonly system: System;
  readonly calls: MintCalls;
  readonly chain: PublicClient;
  readonly confirmations: Confirmations;
}

/**
 * Measures three rates in tokens a second: from the first request until all tokens are accepted, until all are mined,
 * and until all are final. Also measures how full the blocks were.
 */
const runBatches = async ({ system, calls, chain, confirmations }: Bench) => {
  const contract = await calls.create();
  const applicationId = system.outputs.applications[0]?.id ?? '';
  const blocks = watchBlocks(chain);
  const began = performance.now();
  const confirmed = confirmations.until({ contract, applicationId, count: () => tokens });
  const sent: Sent[] = await calls.runEach(
    Array.from({ length: batches }, () => async () => {
      const { hash } = await calls.mintBatch(contract, firstTimeOwners(batchTokensAtMost));
      return { hash, acceptedAt: performance.now() };
    }),
  );
  const accepted = perSecond(tokens, began);
  await Promise.all(sent.map(({ hash }) => receiptOf(chain, hash)));
  const mined = perSecond(tokens, began);
  await confirmed;
  const final = perSecond(tokens, began);
  await blocks.end();
  return { accepted, mined, final, filled: await emptiestFullBlock(chain, { sent, seen: blocks.seen }) };
};

const runSingles = async ({ calls, chain }: Bench) => {
  const contract = await calls.create();
  const began = performance.now();
  const answers = await calls.run(contract, singles);
  const accepted = perSecond(singles, began);
  await Promise.all(answers.map(({ hash }) => receiptOf(chain, hash)));
  return { accepted, mined: perSecond(singles, began) };
};

/**
 * Measures the chain's own limit. Signs `batches` batches as raw transactions in advance, and sends them directly to a
 * separate node.
 */
const runChainAlone = async (): Promise<number> => {
  await using anvil = await startAnvil({ blockTimeSeconds: 1 });
  const signer = localSigner();
  const chain = createPublicClient({ transport: http(anvil.url), cacheTime: 0 });
  const fees = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const deployment = encodeDeployment({ collection: aCollection(), salt: aSalt(1) });
  const { raw, hash } = await signer.sign({ nonce: 0, ...deployment, ...fees });
  await anvil.rpc('eth_sendRawTransaction', raw);
  await receiptOf(chain, hash);
  const signed = await Promise.all(
    Array.from({ length: batches }, (_, index) =>
      signer.sign({
        nonce: index + 1,
        to: deployment.address,
        data: encodeMintBatch({
          destinations: firstTimeOwners(batchTokensAtMost),
          firstTokenId: BigInt(index * batchTokensAtMost + 1),
        }),
        gas: mintGasLimit(batchTokensAtMost),
        ...fees,
      }),
    ),
  );
  const began = performance.now();
  for (const each of signed) await anvil.rpc('eth_sendRawTransaction', each.raw);
  await Promise.all(signed.map((each) => receiptOf(chain, each.hash)));
  return perSecond(tokens, began);
};

const measureGas = async ({ chain, calls }: Bench): Promise<Measurement[]> => {
  const { address: contract, hash: deployment } = await calls.deploy();
  const ticketed = await calls.create({ max_supply: 1_000, transferable: false, revocable: true });
  const gasOf = async (hash: Hex, count: number) => Number((await receiptOf(chain, hash)).gasUsed) / count;
  const ofBatch = async (count: number) =>
    gasOf((await calls.mintBatch(contract, firstTimeOwners(count))).hash, count);
  const ofSingle = async (into = contract) => {
    const [owner] = firstTimeOwners(1);
    return gasOf((await calls.mint(into, owner)).hash, 1);
  };
  // The first token is not measured: its gas includes storage that later tokens reuse.
  await ofSingle();
  await ofSingle(ticketed);
  const [single, one, most] = [await ofSingle(), await ofBatch(1), await ofBatch(batchTokensAtMost)];
  return [
    { name: 'gas of a token in a batch of 1, relative to a single mint', value: one / single, unit: '×' },
    {
      name: `  in a batch of ${batchTokensAtMost}, relative to a single mint`,
      value: most / single,
      unit: '×',
    },
    { name: '  in a single mint, to a first-time owner', value: single, unit: 'gas' },
    {
      name: '  in a single mint, with a limited supply and locked tokens',
      value: await ofSingle(ticketed),
      unit: 'gas',
    },
    { name: '  in a batch of 1', value: one, unit: 'gas' },
    { name: `  in a batch of ${batchTokensAtMost}`, value: most, unit: 'gas' },
    { name: 'a deployment', value: await gasOf(deployment, 1), unit: 'gas' },
  ];
};

/**
 * Alternates between three measurements: batches posted by several clients at once, single mints by the same number of
 * clients, and transactions that are sent directly to a node.
 */
export const measureBatches = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const [application] = system.outputs.applications;
  const calls = mintCalls(system, { connections: clients, application });
  cleanup.defer(() => calls.stop());
  const confirmations = await watchConfirmations(system);
  cleanup.defer(() => confirmations.stop());
  const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url), cacheTime: 0 });
  const bench = { system, calls, chain, confirmations };
  const gas = await measureGas(bench);
  await runBatches(bench);

  const batched: Awaited<ReturnType<typeof runBatches>>[] = [];
  const single: Awaited<ReturnType<typeof runSingles>>[] = [];
  const alone: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [
      async () => void batched.push(await runBatches(bench)),
      async () => void single.push(await runSingles(bench)),
      async () => void alone.push(await runChainAlone()),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }

  const of = (stage: 'accepted' | 'mined' | 'final') => median(batched.map((round) => round[stage]));
  const ofSingles = (stage: 'accepted' | 'mined') => median(single.map((round) => round[stage]));
  const filled = Math.min(...batched.map((round) => round.filled));
  return [
    ...gas,
    {
      name: `the emptiest block that left a batch waiting (at least ${leastFilled})`,
      value: filled,
      unit: 'of its gas limit',
      holds: filled >= leastFilled,
    },
    {
      name: 'batched tokens mined a second, relative to the chain alone',
      value: of('mined') / median(alone),
      unit: '×',
    },
    {
      name: '  relative to single mints by as many clients',
      value: of('mined') / ofSingles('mined'),
      unit: '×',
    },
    {
      name: 'batched tokens accepted a second, relative to single mints',
      value: of('accepted') / ofSingles('accepted'),
      unit: '×',
    },
    { name: `${batches} batches of ${batchTokensAtMost}: accepted`, value: of('accepted'), unit: 'tokens/s' },
    { name: '  until all are mined', value: of('mined'), unit: 'tokens/s' },
    { name: '  until all are final', value: of('final'), unit: 'tokens/s' },
    { name: 'single mints: accepted', value: ofSingles('accepted'), unit: 'tokens/s' },
    { name: '  until all are mined', value: ofSingles('mined'), unit: 'tokens/s' },
    { name: 'the chain alone: until all are mined', value: median(alone), unit: 'tokens/s' },
  ];
};
