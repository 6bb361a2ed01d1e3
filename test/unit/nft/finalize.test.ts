import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Hash } from '../../../shared/chain/hex.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import type { Purpose } from '../../../shared/nft/transactions/purpose.ts';
import { type FinalizeDependencies, finalize } from '../../../shared/nft/waiter/finalize.ts';
import { newPass } from '../../../shared/nft/waiter/pass-state.ts';
import { aReceipt } from '../../support/nft/receipt.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const { id: signer } = aSignerState();
const at = { number: 9, hash: '0x09' } as const;
const hashOf = (nonce: number): Hash => `0x${nonce.toString(16).padStart(64, '0')}`;

const noop: Purpose = { kind: 'noop' };
const mintOf = (tokens: number): Purpose => ({
  kind: 'mint',
  applicationId: 'one',
  contract: '0x00000000000000000000000000000000000000cc',
  firstTokenId: '1',
  destinations: Array(tokens).fill('0x00000000000000000000000000000000000000aa'),
});

/**
 * Decides entries with these purposes, of which only noops have receipts, at an endpoint that returns the receipts of
 * 1,000 tokens at most. `isLate`: the time of the pass is over.
 */
const decide = async (purposes: readonly Purpose[], { isLate = false, confirmed = [] as number[] } = {}) => {
  const entries = purposes.map(
    (purpose, nonce): Entry => ({
      signer,
      nonce,
      purpose,
      gas: 1n,
      attempts: [{ hash: hashOf(nonce), raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, signedAt: 0 }],
      status: 'pending',
      missingLooks: 0,
    }),
  );
  const asked: number[] = [];
  const tokensOf = (hash: Hash): number => {
    const { purpose } = entries[Number(hash)] ?? { purpose: noop };
    return purpose.kind === 'mint' ? purpose.destinations.length : 0;
  };
  const dependencies = {
    chain: {
      receipts: async (hashes: readonly Hash[]) => {
        asked.push(hashes.length);
        if (hashes.reduce((sum, hash) => sum + tokensOf(hash), 0) > 1_000) {
          throw new ChainUnavailableError({ message: 'The answer is too large' });
        }
        return new Map(hashes.map((hash) => [hash, tokensOf(hash) === 0 ? aReceipt(hash) : null]));
      },
      lookUpReceipts: async ({ hashes }: { readonly hashes: readonly Hash[] }) =>
        new Map(hashes.map((hash) => [hash, { outcome: 'absent' as const }])),
      blockHashes: async () => new Map([[5, '0x05']]),
    },
    transactionLog: {
      finalize: async (decisions: readonly { readonly entry: Entry }[]) => {
        confirmed.push(...decisions.map(({ entry }) => entry.nonce));
        return decisions.map(({ entry }) => entry);
      },
    },
    supplies: { giveBackFailed: async () => {} },
    events: { raise: () => {} },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    clock: () => 1_000,
  } as unknown as FinalizeDependencies;
  const pass = newPass(dependencies, signer);
  for (const entry of entries) pass.entries.set(entry.nonce, entry);
  const nextNonce = entries.length;
  const { absent, isMore } = await finalize(pass, {
    view: {
      state: aSignerState({ nextNonce }),
      counts: { latest: nextNonce, pending: nextNonce },
      finalized: at,
      finalCount: nextNonce,
    },
    deadline: isLate ? 1_000 : 2_000,
  });
  return { asked, confirmed, absent: absent.map(({ nonce }) => nonce), isMore };
};

const upTo = (end: number): number[] => Array.from({ length: end }, (_, nonce) => nonce);

describe('the entries that a round decides', () => {
  it('are all asked for at once if they mint few tokens, up to 200 entries', async () => {
    const purposes = [...Array(150).fill(noop), ...Array(100).fill(mintOf(1))];

    expect(await decide(purposes)).toEqual({
      asked: [200],
      confirmed: upTo(150),
      absent: upTo(200).slice(150),
      isMore: true,
    });
  });

  it('are asked for in parts if they mint many tokens, because receipts of batches are large', async () => {
    const { asked, confirmed, absent } = await decide([noop, ...Array(24).fill(mintOf(95)), noop]);

    expect(asked).toEqual([11, 10, 5]);
    expect(confirmed).toEqual([0, 25]);
    expect(absent).toEqual(upTo(25).slice(1));
  });

  it('are left to the next pass after the first part if the time of the pass is over', async () => {
    const { asked, absent } = await decide(Array(24).fill(mintOf(95)), { isLate: true });

    expect(asked).toEqual([10]);
    expect(absent).toEqual(upTo(10));
  });
});

describe('the entries before one whose receipt no endpoint returns', () => {
  it('are decided all the same', async () => {
    const tooLarge = mintOf(1_001);
    const confirmed: number[] = [];

    await expect(decide([noop, tooLarge], { confirmed })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    });
    expect(confirmed).toEqual([0]);
  });
});
