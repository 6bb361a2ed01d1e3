import { waitFor } from 'template-runtime/testing/wait.ts';
import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { addressOfSigner } from '../../../shared/nft/transactions/entry.ts';
import { runPass } from '../../../shared/nft/waiter/pass.ts';
import { expectInvariants, type Promised } from '../../support/nft/invariants.ts';
import type { World } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const startWorld = worldOfATest();
let world: World;

/** Mints for `concurrency` callers at once. Each caller retries a mint with the same key until it succeeds. */
const burst = async ({
  contract,
  mints,
  concurrency,
}: {
  readonly contract: Contract;
  readonly mints: number;
  readonly concurrency: number;
}): Promise<Promised[]> => {
  const promised: Promised[] = [];
  const keys = Array.from({ length: mints }, (_, index) => `burst-${index}`).values();
  const caller = async (): Promise<void> => {
    for (const key of keys) {
      // After a timeout, an endpoint rests for two seconds. Until then, retries may fail.
      const mint = () => world.mint({ contract: contract.address, key });
      promised.push({ key, nft: await waitFor(mint, { timeout: 150_000, interval: 50 }) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return promised;
};

describe('a burst of mints', () => {
  it('of 500 mints at concurrency 50 produces a token for each, with at most ten state transitions', async () => {
    world = await startWorld({ anvil: { blockTimeSeconds: 1 }, passMilliseconds: 50_000 });
    const contract = await world.deploy();
    const startedAt = performance.now();

    await world.watch();
    const promised = await burst({ contract, mints: 500, concurrency: 50 });
    const acceptedAt = performance.now();
    await world.untilFinal();

    const seconds = (until: number) => ((until - startedAt) / 1_000).toFixed(1);
    console.info(
      `500 mints: accepted after ${seconds(acceptedAt)} s, final after ${seconds(performance.now())} s, ${world.transitions()} transitions`,
    );
    expect(world.transitions()).toBeLessThanOrEqual(10);
    await expectInvariants(world, { contract, promised });
  });

  it('that is already final is decided without waiting for another block', async () => {
    world = await startWorld({});
    const contract = await world.deploy();
    // A round finalizes at most 200 transactions, so these need more than one round.
    const promised = await burst({ contract, mints: 201, concurrency: 50 });
    const { generation = '' } = (await world.ports.signers.find(world.signerId)) ?? {};
    const address = addressOfSigner(world.signerId);
    const { chain, signers, transactionLog } = world.ports;
    const allAreFinal = async (): Promise<boolean> => {
      // Exceeds 202 if, on a busy machine, a handler gave up and its caller tried again.
      const { nextNonce = 0 } = (await signers.find(world.signerId)) ?? {};
      const { latest } = await chain.transactionCounts(address);
      const finalCount = await chain.minedCountAt(address, await chain.finalizedBlock());
      if (finalCount === nextNonce) return true;
      // No waiter is running here, so the test rebroadcasts what a handler recorded before it gave up.
      const entries = await transactionLog.range({ signer: world.signerId, from: latest, to: nextNonce });
      for (const { raw } of entries.flatMap(({ attempts }) => attempts)) await chain.broadcast(raw);
      return false;
    };
    await waitFor(async () => expect(await allAreFinal()).toBe(true), { timeout: 150_000, interval: 500 });

    const now = world.clock();
    const waits: number[] = [];
    await runPass(
      {
        ...world.passDependencies(world.ports, world.executions),
        // The clock stands still, so that even a slow round seems to take no time.
        clock: () => now,
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
      { signer: world.signerId, generation },
    );

    expect(waits).toEqual([]);
    await expectInvariants(world, { contract, promised });
  });
});
