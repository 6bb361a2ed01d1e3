import { describe, expect, it } from 'vitest';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { type ReopenDependencies, reopen } from '../../../shared/nft/restored/reopen.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import { openCount, openNoncesOf, rangesOf } from '../../../shared/nft/transactions/open-nonces.ts';
import { newPass, readLog } from '../../../shared/nft/waiter/pass-state.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const entryOf = (nonce: number, changes: Partial<Entry> = {}): Entry => ({
  signer: aSignerState().id,
  nonce,
  purpose: { kind: 'noop' },
  gas: 1n,
  attempts: [{ hash: '0x07', raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, signedAt: 1 }],
  status: 'pending',
  missingLooks: 0,
  ...changes,
});

describe('reopened nonces', () => {
  it('are a thousand of a signer at a time, until the waiter has all of them', async () => {
    let state: SignerState = aSignerState({ nextNonce: 10, finalizedCount: 10 });
    let most = 0;
    const seen = new Set<number>();
    const dependencies = {
      signers: {
        find: async () => state,
        raiseNextNonce: async ({ count }: { readonly count: number }) => {
          state = { ...state, nextNonce: Math.max(count, state.nextNonce) };
        },
        reopen: async ({ nonces }: { readonly nonces: readonly number[] }) => {
          state = { ...state, reopened: new Set([...state.reopened, ...nonces]) };
          for (const nonce of nonces) seen.add(nonce);
          most = Math.max(most, state.reopened.size);
        },
      },
      // The waiter decides 200.
      wait: async () => {
        state = { ...state, reopened: new Set([...state.reopened].slice(200)) };
      },
    } as unknown as ReopenDependencies;
    const left: number[] = [];

    await reopen(dependencies, {
      entries: Array.from({ length: 2_345 }, (_, nonce) => entryOf(2_344 - nonce)),
      onProgress: (count) => left.push(count),
    });

    expect(seen.size).toBe(2_345);
    expect(most).toBe(1_000);
    expect(state.nextNonce).toBe(2_345);
    expect(left.slice(0, 3)).toEqual([2_345, 1_345, 1_145]);
  });

  it('are read beside those with unfinished work, row by row, and again if the pass knows an outcome', async () => {
    const reads: (readonly [number, number])[] = [];
    const log = [entryOf(2), entryOf(3), entryOf(7), entryOf(9), entryOf(10)];
    const pass = newPass(
      {
        transactionLog: {
          range: async ({ from, to }: { readonly from: number; readonly to: number }) => {
            reads.push([from, to]);
            return log.filter(({ nonce }) => from <= nonce && nonce < to);
          },
        },
      },
      aSignerState().id,
    );
    // The noops in whose place the entries 3 and 9 were restored.
    for (const nonce of [3, 9]) pass.entries.set(nonce, entryOf(nonce, { status: 'superseded' }));
    const state = aSignerState({
      nextNonce: 12,
      finalizedCount: 9,
      reopened: new Set([7, 2, 3, 5, 9]),
    });

    const { missing, lost } = await readLog(pass, {
      state,
      counts: { latest: 12, pending: 12 },
      finalized: undefined,
      finalCount: 0,
    });

    expect(reads.toSorted((a, b) => a[0] - b[0])).toEqual([
      [2, 4],
      [5, 6],
      [7, 8],
      [9, 12],
    ]);
    expect([...pass.entries.values()].map(({ nonce, status }) => [nonce, status])).toEqual(
      expect.arrayContaining(log.map(({ nonce }) => [nonce, 'pending'])),
    );
    expect({ missing, lost }).toEqual({ missing: [11], lost: [5] });
  });

  it('count as open once, wherever the counts are', () => {
    const state = aSignerState({ nextNonce: 12, finalizedCount: 9, reopened: new Set([10, 2, 3]) });

    expect(openNoncesOf(state)).toEqual([2, 3, 9, 10, 11]);
    expect(openCount(state)).toBe(5);
    expect(rangesOf([10, 3, 2])).toEqual([
      { from: 2, to: 4 },
      { from: 10, to: 11 },
    ]);
  });
});
