import { describe, expect, it } from 'vitest';
import type { Hash } from '../../../shared/nft/hex.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { expectInvariants, expectSettledSigner } from '../../support/nft/invariants.ts';
import type { World } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const startWorld = worldOfATest();
let world: World;

const hasSuperseded = (): boolean => world.raised.some(({ event }) => event === 'EntrySuperseded');

/** The transaction that the endpoints do not know by its hash. */
let hidden: Hash | undefined;

/** `answers`, with `absent` as the answer for the hidden transaction. */
const hiding = <Answer>(answers: ReadonlyMap<Hash, Answer>, absent: Answer): Map<Hash, Answer> =>
  new Map(hidden === undefined ? answers : [...answers, [hidden, absent]]);

/** Every waiter of a test uses this chain, even one that began before the transaction was hidden. */
const hidingChain = (): Chain => {
  const { chain } = world.ports;
  return {
    ...chain,
    receipts: async (hashes) => hiding(await chain.receipts(hashes), null),
    lookUpReceipts: async (question) => hiding(await chain.lookUpReceipts(question), { outcome: 'absent' }),
    places: async (hashes) => hiding(await chain.places(hashes), 'absent'),
  };
};

const start = async (change: (chain: Chain) => Partial<Chain> = () => ({})) => {
  hidden = undefined;
  world = await startWorld({ anvil: { blockTimeSeconds: 0.25 }, passMilliseconds: 1_000 });
  const contract = await world.deploy();
  const chain = hidingChain();
  const ports = { ...world.ports, chain: { ...chain, ...change(chain) } };
  const executions = world.executionsOver(() => ports);
  await world.settle(executions);
  return { contract, executions };
};

describe('a mined transaction that no endpoint knows by its hash', () => {
  it('is found by what it made, and nothing is made again', async () => {
    const { contract, executions } = await start();
    const nft = await world.mint({ contract: contract.address, key: 'hidden' });
    hidden = nft.transactionHash;

    await world.settle(executions);

    expect(hasSuperseded()).toBe(false);
    expect(await world.ports.nfts.find(nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: nft.transactionHash,
    });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'hidden' }] });
  });

  it.each(['mint', 'deploy'] as const)(
    'is the one that a %s names, not the one that was made in its place and reverted',
    async (kind) => {
      const { contract, executions } = await start((chain) => ({
        findEvent: async (question) => (hasSuperseded() ? chain.findEvent(question) : { outcome: 'absent' }),
      }));
      const made =
        kind === 'mint'
          ? await world.mint({ contract: contract.address })
          : await world.deploy({ name: 'Hidden' });
      hidden = made.transactionHash;

      await world.settle(executions);

      expect(hasSuperseded()).toBe(true);
      const found =
        'tokenId' in made ? await world.ports.nfts.find(made) : await world.ports.contracts.find(made);
      expect(found).toMatchObject({ status: 'confirmed', transactionHash: made.transactionHash });
      await expectSettledSigner(world);
    },
  );
});
