import { describe, expect, it } from 'vitest';
import { transferGasLimit } from '../../../shared/nft/collections/collection.ts';
import type { BroadcastOutcome, Whereabouts } from '../../../shared/nft/ports/chain.ts';
import {
  type Attempt,
  addressOfSigner,
  type Entry,
  signerIdOf,
} from '../../../shared/nft/transactions/entry.ts';
import { signEntry } from '../../../shared/nft/transactions/sign.ts';
import { newPass } from '../../../shared/nft/waiter/pass-state.ts';
import { type ReplaceStuckDependencies, replaceStuck } from '../../../shared/nft/waiter/replace.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const signer = localSigner();
const fees = { baseFeePerGas: 1n, maxFeePerGas: 4n, maxPriorityFeePerGas: 2n };
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Runs the replacement step for a transaction that a node accepted an hour ago and that has been the lowest unmined one
 * for two rounds.
 */
const tend = async ({
  place,
  sends,
  isTried = true,
}: {
  readonly place: Whereabouts;
  readonly sends: BroadcastOutcome;
  /** Whether the log contains the time at which the transaction was first sent as the lowest unmined one. */
  readonly isTried?: boolean;
}): Promise<{
  readonly appended: Attempt[];
  readonly raised: string[];
  /** Whether the pass keeps the entry as it was read. */
  readonly isKept: boolean;
}> => {
  const id = signerIdOf({ chainId: signer.chainId, address: await signer.address() });
  const clock = () => 1_800_000_000_000;
  const signed = await signEntry(
    { signer, clock: () => clock() - 3_600_000 },
    {
      signer: id,
      nonce: 3,
      unsigned: { purpose: { kind: 'noop' }, to: addressOfSigner(id), data: '0x', gas: transferGasLimit },
      feeQuote: fees,
    },
  );
  const entry: Entry = { ...signed, ...(isTried && { triedAt: clock() - 3_600_000 }) };
  const appended: Attempt[] = [];
  const raised: string[] = [];
  const dependencies: ReplaceStuckDependencies = {
    chain: {
      whereabouts: async (hashes) => new Map(hashes.map((hash) => [hash, place])),
      broadcast: async () => ({ outcome: sends, detail: '' }),
      fees: async () => fees,
      rotateEndpoint: async () => {},
    },
    signer,
    clock,
    logger,
    events: { raise: (event: string) => raised.push(event) },
    settings: { feeCeiling: 1_000n },
    transactionLog: {
      appendAttempt: async ({ attempt }) => appended.push(attempt) > 0,
      noteTried: async () => true,
    },
    replaceAfterMilliseconds: 60_000,
  };
  const pass = newPass(dependencies, id);
  pass.entries.set(entry.nonce, entry);
  pass.head = { nonce: entry.nonce, rounds: 2, rotatedAt: 0 };

  await replaceStuck(pass, {
    state: aSignerState({ id, nextNonce: 4 }),
    counts: { latest: 3, pending: 3 },
    finalized: { number: 1, hash: '0x01' },
    finalCount: 3,
  });
  return { appended, raised, isKept: pass.entries.has(entry.nonce) };
};

describe('the oldest transaction of a signer, when it is due for a fee raise', () => {
  it.each<[Whereabouts, BroadcastOutcome]>([
    ['pool', 'unknown'],
    ['absent', 'accepted'],
    ['absent', 'already-known'],
    ['absent', 'underpriced'],
    ['absent', 'fee-below-base'],
  ])('gets higher fees when a node has it or finds its fees too low (%s, %s)', async (place, sends) => {
    const { appended } = await tend({ place, sends });

    expect(appended).toMatchObject([{ maxFeePerGas: 5n, maxPriorityFeePerGas: 3n }]);
  });

  it.each<BroadcastOutcome>(['insufficient-funds', 'nonce-too-low', 'pool-full', 'rejected', 'unknown'])(
    'keeps its fees when something other than fees blocks it (%s)',
    async (sends) => {
      const { appended } = await tend({ place: 'absent', sends });

      expect(appended).toEqual([]);
    },
  );

  it('is read again after the attempt is noted, because the time until a raise starts then', async () => {
    const { appended, isKept } = await tend({ place: 'pool', sends: 'unknown', isTried: false });

    expect(appended).toEqual([]);
    expect(isKept).toBe(false);
  });

  it('raises the event FundsShort when the signer cannot pay for it', async () => {
    expect((await tend({ place: 'absent', sends: 'insufficient-funds' })).raised).toEqual(['FundsShort']);
  });
});
