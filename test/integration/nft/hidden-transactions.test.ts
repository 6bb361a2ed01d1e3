import { waitFor } from 'template-runtime/testing/wait.ts';
import { pad } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Address, Hash } from '../../../shared/chain/hex.ts';
import { type CollectionOptions, encodeOwnerOf } from '../../../shared/nft/collections/collection.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { revokeToken } from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { heldAt } from '../../support/nft/faults.ts';
import { expectFinishedSigner, expectInvariants } from '../../support/nft/invariants.ts';
import { mintedIds } from '../../support/nft/minted-ids.ts';
import { transferToken } from '../../support/nft/transfer-token.ts';
import type { Ports, World } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const startWorld = worldOfATest();
let world: World;

const buyer: Address = '0x00000000000000000000000000000000000000bb';

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
    whereabouts: async (hashes) => hiding(await chain.whereabouts(hashes), 'absent'),
  };
};

const start = async (
  change: (chain: Chain) => Partial<Chain> = () => ({}),
  options: CollectionOptions = {},
) => {
  hidden = undefined;
  world = await startWorld({ passMilliseconds: 1_000 });
  const contract = await world.deploy({ options });
  const chain = hidingChain();
  const ports: Ports = { ...world.ports, chain: { ...chain, ...change(chain) } };
  const executions = world.executionsOver(() => ports);
  await world.untilFinal(executions);
  return { contract, executions, ports };
};

describe('a mined transaction that no endpoint knows by its hash', () => {
  it('is found by the token that it minted, and nothing is minted again', async () => {
    const { contract, executions } = await start();
    const nft = await world.mint({ contract: contract.address, key: 'hidden' });
    hidden = nft.transactionHash;

    await world.untilFinal(executions);

    expect(hasSuperseded()).toBe(false);
    expect(await world.ports.nfts.find(nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: nft.transactionHash,
    });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'hidden' }] });
  });

  it.each(['mint', 'deploy'] as const)(
    'becomes the transaction of its %s, rather than the repetition that reverted',
    async (kind) => {
      const { contract, executions } = await start((chain) => ({
        findEvent: async (question) => (hasSuperseded() ? chain.findEvent(question) : { outcome: 'absent' }),
      }));
      const made =
        kind === 'mint'
          ? await world.mint({ contract: contract.address })
          : await world.deploy({ name: 'Hidden' });
      hidden = made.transactionHash;

      await world.untilFinal(executions);

      expect(hasSuperseded()).toBe(true);
      const found =
        'tokenId' in made ? await world.ports.nfts.find(made) : await world.ports.contracts.find(made);
      expect(found).toMatchObject({ status: 'confirmed', transactionHash: made.transactionHash });
      await expectFinishedSigner(world);
    },
  );
});

describe('a token that is sold while no endpoint knows its mint', () => {
  it('is confirmed by the mint to its first owner, not failed by the repetition that reverted', async () => {
    const { contract, executions } = await start((chain) => ({
      findEvent: async (question) => (hasSuperseded() ? chain.findEvent(question) : { outcome: 'absent' }),
    }));
    const nft = await world.mint({ contract: contract.address });
    hidden = nft.transactionHash;
    await waitFor(async () =>
      expect(await world.anvil.rpc('eth_getTransactionReceipt', nft.transactionHash)).toBeTruthy(),
    );
    await transferToken(world.anvil.rpc, { ...nft, from: nft.destination, to: buyer });

    await world.untilFinal(executions);

    const owner = { to: nft.contract, data: encodeOwnerOf(BigInt(nft.tokenId)) };
    const at = await world.ports.chain.finalizedBlock();
    expect(await world.ports.chain.call(owner, at)).toEqual({
      outcome: 'returned',
      data: pad(buyer, { size: 32 }),
    });
    expect(hasSuperseded()).toBe(true);
    expect(await world.ports.nfts.find(nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: nft.transactionHash,
    });
    await expectFinishedSigner(world);
  });
});

describe('a revoked token whose mint no endpoint knows for a while', () => {
  const startRevocable = () =>
    start(
      (chain) => ({
        findEvent: async (question) =>
          hidden === undefined ? chain.findEvent(question) : { outcome: 'absent' },
      }),
      { revocable: true },
    );

  /** The time that `lookUntil` skips is not the revocation's. */
  const stoppedClock = () => {
    const now = world.clock();
    return () => now;
  };

  const revoke = ({ contract, tokenId }: Nft, ports: Ports = world.ports) =>
    revokeToken(
      { ...world.submitDependencies(ports), clock: stoppedClock() },
      {
        application: world.application,
        idempotency: { scope: `revoke ${tokenId}`, key: undefined, body: {} },
        contract,
        tokenId,
      },
    );

  /** Lets the waiter look for the hidden transaction, every eight seconds of the service's time, until `isDone`. */
  const lookUntil = (executions: World['executions'], isDone: () => boolean) =>
    waitFor(
      async () => {
        world.skip(8_000);
        await world.watch(executions);
        expect(isDone()).toBe(true);
      },
      { interval: 1_000 },
    );

  const isHeldBack = (): boolean =>
    world.lines.some(({ message }) => message.startsWith('A mint is not superseded while a burn'));

  const expectBurnt = async (nft: Nft): Promise<void> => {
    expect(await world.ports.nfts.find(nft)).toMatchObject({
      status: 'confirmed',
      revocation: { status: 'confirmed' },
    });
    const at = await world.ports.chain.finalizedBlock();
    const owner = { to: nft.contract, data: encodeOwnerOf(BigInt(nft.tokenId)) };
    expect(await world.ports.chain.call(owner, at)).toMatchObject({ outcome: 'reverted' });
    await expectFinishedSigner(world);
  };

  it('is not minted a second time after it was burnt', async () => {
    const { contract, executions } = await startRevocable();
    const nft = await world.mint({ contract: contract.address });
    hidden = nft.transactionHash;
    await revoke(nft);

    await lookUntil(executions, () => isHeldBack() || hasSuperseded());
    hidden = undefined;
    await world.untilFinal(executions);

    await expectBurnt(nft);
    expect(hasSuperseded()).toBe(false);
    expect(await mintedIds(world, contract.address)).toEqual([nft.tokenId]);
  });

  /**
   * A revocation whose nonce is lower than the nonce with which the mint is superseded. Its recording is held until
   * `goOn` is called.
   */
  const revocationAtALowerNonce = (nft: Nft, ports: Ports) => {
    const still = heldAt(world.ports, 'transactionLog.record');
    let revoking: Promise<unknown> | undefined;
    const reserveNonce: Ports['signers']['reserveNonce'] = async (taking) => {
      revoking ??= revoke(nft, still.ports);
      await still.isReached;
      return ports.signers.reserveNonce(taking);
    };
    const goOn = async () => {
      still.goOn();
      await revoking;
    };
    const revoked = () => revoking;
    return { waiterPorts: { ...ports, signers: { ...ports.signers, reserveNonce } }, goOn, revoked };
  };

  it.each(['before', 'after'] as const)(
    'remains burnt if the revocation is recorded just %s the mint is superseded',
    async (when) => {
      const { contract, ports } = await startRevocable();
      const nft = await world.mint({ contract: contract.address });
      const { waiterPorts, goOn, revoked } = revocationAtALowerNonce(nft, ports);
      const superseding: Ports = {
        ...waiterPorts,
        transactionLog: {
          ...ports.transactionLog,
          supersede: async (change) => {
            if (when === 'before') await goOn();
            const isSuperseded = await ports.transactionLog.supersede(change);
            await goOn();
            // Otherwise the waiter could decide about the successor while the endpoints do not know the first mint.
            if (isSuperseded) hidden = undefined;
            return isSuperseded;
          },
        },
      };
      hidden = nft.transactionHash;
      const executions = world.executionsOver(() => superseding);

      await lookUntil(executions, () => isHeldBack() || hasSuperseded());
      hidden = undefined;
      await revoked();
      await world.untilFinal(executions);

      await expectBurnt(nft);
      expect(hasSuperseded()).toBe(when === 'after');
    },
  );
});
