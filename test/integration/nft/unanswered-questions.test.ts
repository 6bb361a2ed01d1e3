import { waitFor } from 'template-runtime/testing/wait.ts';
import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { withFault } from '../../support/nft/faults.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import type { World } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const startWorld = worldOfATest();
let world: World;

const mineBlocks = (count: number) => world.anvil.rpc('anvil_mine', `0x${count.toString(16)}`);

/** Waiters whose chain does not answer one kind of question until `answerAgain` is called. */
const waitersWithout = (question: 'finalizedBlock' | 'receipts') => {
  let isAnswered = false;
  const chain: Chain = {
    ...world.ports.chain,
    [question]: async (...parameters: never[]) => {
      if (!isAnswered) throw new ChainUnavailableError({ message: 'No RPC endpoint answered' });
      return Reflect.apply(world.ports.chain[question], undefined, parameters);
    },
  };
  return {
    executions: world.executionsOver(() => ({ ...world.ports, chain })),
    answerAgain: () => {
      isAnswered = true;
    },
  };
};

/** Deploys a collection, which is mined but still pending in the log, and records a mint that no node has heard of. */
const startWithUnheardMint = async (key: string) => {
  world = await startWorld({
    anvil: { noMining: true },
    passMilliseconds: 1_000,
    replaceAfterMilliseconds: 200,
  });
  const contract = await world.deploy();
  await mineBlocks(5);
  const { ports } = withFault(world.ports, { at: 'chain.broadcast', when: 'before', mode: 'crash' });
  await expect(world.mint({ contract: contract.address, key, ports })).rejects.toThrow();
  return contract;
};

describe('a round of the waiter in which one request gets no answer', () => {
  it('sends transactions that the chain does not have, even without the finalized block', async () => {
    const contract = await startWithUnheardMint('sent');
    const { executions, answerAgain } = waitersWithout('finalizedBlock');

    await waitFor(async () => {
      await world.watch(executions);
      const address = await world.ports.signer.address();
      expect((await world.ports.chain.transactionCounts(address)).pending).toBe(2);
    });

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    answerAgain();
    await mineBlocks(5);
    await world.untilFinal();
    const nft = await world.mint({ contract: contract.address, key: 'sent' });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'sent' }] });
  });

  it('raises the fees of a stuck transaction, even without the receipts of mined ones', async () => {
    const contract = await startWithUnheardMint('raised');
    const { executions, answerAgain } = waitersWithout('receipts');

    await waitFor(async () => {
      await world.watch(executions);
      const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: 1 });
      expect(entry?.attempts.length).toBeGreaterThan(1);
    });

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    answerAgain();
    await mineBlocks(5);
    await world.untilFinal();
    const nft = await world.mint({ contract: contract.address, key: 'raised' });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'raised' }] });
  });
});
