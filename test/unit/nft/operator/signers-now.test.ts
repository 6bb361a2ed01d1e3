import { describe, expect, it } from 'vitest';
import { signersNow } from '../../../../operator/stage/status/signers-now.ts';
import { ChainUnavailableError } from '../../../../shared/chain/errors.ts';
import { mintGasLimit } from '../../../../shared/nft/collections/collection.ts';
import type { SignerState } from '../../../../shared/nft/ports/signers.ts';
import type { Entry } from '../../../../shared/nft/transactions/entry.ts';
import { coinsOf } from '../../../../shared/nft/transactions/signer-funds.ts';
import { aSignerState } from '../../../support/nft/signer-state.ts';

const id = aSignerState().id;
const now = Date.parse('2026-11-21T12:00:00Z');

const anEntry = (nonce: number, secondsAgo = 1): Entry => ({
  signer: id,
  nonce,
  purpose: { kind: 'noop' },
  gas: 21_000n,
  attempts: [
    {
      hash: '0x01',
      raw: '0x02',
      maxFeePerGas: 30n,
      maxPriorityFeePerGas: 1n,
      signedAt: now - secondsAgo * 1_000,
    },
  ],
  status: 'pending',
  missingLooks: 0,
});

const nowOf = async (
  state: Partial<SignerState>,
  entries: readonly Entry[],
  balance: () => Promise<bigint> = async () => 10_000_000n,
) => {
  const ranges: { from: number; to: number }[] = [];
  const [signer] = await signersNow({
    chain: {
      balance,
      fees: async () => ({ baseFeePerGas: 1n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n }),
    },
    keys: { list: async () => [{ id, signer: { number: 1 } as never }] },
    signers: { list: async () => [aSignerState(state)] },
    transactionLog: {
      range: async ({ from, to }) => {
        ranges.push({ from, to });
        return [...entries];
      },
    },
    clock: () => now,
    settings: {
      inFlightCap: 3,
      replaceAfterMilliseconds: 10_000,
      feeCeiling: 2n,
      lowBalance: coinsOf(9_000_000n),
    },
  });
  if (signer === undefined) throw new Error('there is no signer');
  return { ...signer, ranges };
};
const textOf = (runs: readonly { state: string; from: number; count: number }[]) =>
  runs.map(({ state, from, count }) => `${from}+${count} ${state}`);

describe("the operator's view of a signer", () => {
  it('shows its nonces as mined, in flight, waiting, or gaps', async () => {
    const entries = [2, 3, 4, 6, 7, 8, 9].map((nonce) => anEntry(nonce));

    const { nonces, undecided, head } = await nowOf(
      { finalizedCount: 2, minedCount: 4, nextNonce: 10 },
      entries,
    );

    expect(textOf(nonces)).toEqual(['2+2 mined', '4+1 in-flight', '5+1 gap', '6+1 in-flight', '7+3 waiting']);
    expect(undecided).toBe(8);
    expect(head).toMatchObject({ nonce: 4, ageMilliseconds: 1_000, attempts: 1, isStuck: false });
  });

  it('shows the signer as stuck when its oldest transaction has waited twice the time before a fee raise', async () => {
    const { nonces, head } = await nowOf({ minedCount: 0, nextNonce: 2 }, [anEntry(0, 21), anEntry(1, 21)]);

    expect(textOf(nonces)).toEqual(['0+1 stuck', '1+1 in-flight']);
    expect(head?.isStuck).toBe(true);
  });

  it('reads at most a thousand nonces, however many are waiting', async () => {
    const { nonces, undecided, ranges } = await nowOf({ nextNonce: 100_000 }, []);

    expect(ranges).toEqual([{ from: 0, to: 1_000 }]);
    expect(textOf(nonces)).toEqual(['0+1000 gap']);
    expect(undecided).toBe(100_000);
  });

  it.each([
    ['none', 'nothing', 0n, 0n],
    ['none', 'less than another mint may cost, under the ceiling', mintGasLimit(1) * 2n - 1n, 0n],
    ['none', 'less than that and what is unmined', mintGasLimit(1) * 2n, 1n],
    ['low', 'enough for a mint and less than the alarm is about', mintGasLimit(1) * 2n, 0n],
    ['enough', 'as much as the alarm is about', 9_000_000n, 0n],
  ] as const)('shows the funds as "%s" when the balance is %s', async (expected, _, balance, unminedCost) => {
    expect((await nowOf({ unminedCost }, [], async () => balance)).funds).toBe(expected);
  });

  it('counts nonces whose cost is not known yet, as the refusal of a mint does', async () => {
    const state = { nextNonce: 4, costedThrough: 2, minedCount: 1, unminedCost: 100n };
    const needed = 100n + 3n * mintGasLimit(1) * 2n;
    const fundsWith = async (balance: bigint) => (await nowOf(state, [], async () => balance)).funds;

    expect([await fundsWith(needed - 1n), await fundsWith(needed)]).toEqual(['none', 'low']);
  });

  it('shows the nonces, but no balance, while no endpoint returns the balance', async () => {
    const { balance, funds, nonces } = await nowOf({ nextNonce: 1 }, [anEntry(0)], () =>
      Promise.reject(new ChainUnavailableError({ message: 'no' })),
    );

    expect([balance, funds]).toEqual([undefined, undefined]);
    expect(textOf(nonces)).toEqual(['0+1 in-flight']);
  });
});
