import { describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { fundsGuard } from '../../../shared/nft/transactions/signer-funds.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const rich: Address = `0x${'1'.repeat(40)}`;
const poor: Address = `0x${'2'.repeat(40)}`;

describe("the check of a signer's funds", () => {
  it('includes only the balance of the signer that sends the transaction', async () => {
    const requireFunds = fundsGuard({
      chain: { balance: async (address) => (address === rich ? 1_000n : 1n) },
      clock: () => 0,
      events: { raise: () => {} },
    });

    await requireFunds({ address: rich, state: undefined, cost: 100n });

    await expect(requireFunds({ address: poor, state: undefined, cost: 100n })).rejects.toThrow(poor);
    await requireFunds({ address: rich, state: undefined, cost: 100n });
  });

  it('includes what unmined transactions may cost, and this request’s cost for each nonce that was taken since', async () => {
    const state = aSignerState({ nextNonce: 5, costedThrough: 3, minedCount: 2, unminedCost: 100n });
    const askedWith = (balance: bigint) =>
      fundsGuard({
        chain: { balance: async () => balance },
        clock: () => 0,
        events: { raise: () => {} },
      })({ address: rich, state, cost: 10n });

    await askedWith(130n);

    await expect(askedWith(129n)).rejects.toThrow('129 wei');
  });

  it('reads the balance once in a minute while it is high enough', async () => {
    let [now, reads] = [0, 0];
    const requireFunds = fundsGuard({
      chain: {
        balance: async () => {
          reads += 1;
          return 1_000n;
        },
      },
      clock: () => now,
      events: { raise: () => {} },
    });
    const order = { address: rich, state: undefined, cost: 100n };

    await requireFunds(order);
    await requireFunds(order);
    expect(reads).toBe(1);
    now = 60_000;
    await requireFunds(order);

    expect(reads).toBe(2);
  });
});
