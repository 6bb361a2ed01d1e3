import { describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/nft/hex.ts';
import { fundsGuard } from '../../../shared/nft/submit/funds.ts';

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
});
