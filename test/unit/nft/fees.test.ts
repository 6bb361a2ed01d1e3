import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import {
  ceilingFor,
  feeQuoteUnder,
  knownFeeQuote,
  replacementFeeQuote,
} from '../../../shared/nft/transactions/fees.ts';

const gwei = 1_000_000_000n;
const fees = { baseFeePerGas: 30n * gwei, maxFeePerGas: 85n * gwei, maxPriorityFeePerGas: 25n * gwei };

describe('the highest price per unit of gas', () => {
  const feeCeiling = 500n * gwei;

  it('is the ceiling of the stage if the RPC endpoints set no limit on fees', () => {
    expect(ceilingFor({ feeCeiling }, 6_740_000n)).toBe(feeCeiling);
  });

  it("is lower for a transaction whose gas makes its cost at the ceiling exceed the endpoints' limit", () => {
    const limits = { feeCeiling, endpointFeeCap: 10n ** 18n };

    const ceiling = ceilingFor(limits, 6_740_000n);

    expect(ceiling * 6_740_000n).toBeLessThanOrEqual(limits.endpointFeeCap);
    expect((ceiling + 1n) * 6_740_000n).toBeGreaterThan(limits.endpointFeeCap);
    expect(ceilingFor(limits, 160_000n)).toBe(feeCeiling);
  });
});

describe('the first fee quote of a transaction', () => {
  it('equals what the chain suggests', () => {
    expect(feeQuoteUnder(fees, 500n * gwei)).toEqual({
      maxFeePerGas: 85n * gwei,
      maxPriorityFeePerGas: 25n * gwei,
    });
  });

  it('is cut to the ceiling if the ceiling still covers the base fee of the next block', () => {
    expect(feeQuoteUnder(fees, 60n * gwei)?.maxFeePerGas).toBe(60n * gwei);
  });

  it('does not exist when the base fee of the next block exceeds the ceiling', () => {
    expect(feeQuoteUnder(fees, 54n * gwei)).toBeUndefined();
  });
});

describe('the fee quote of a replacement', () => {
  const before = { maxFeePerGas: 85n * gwei, maxPriorityFeePerGas: 25n * gwei };

  it('raises both fees by at least an eighth, rounded up', () => {
    const low = { maxFeePerGas: 9n, maxPriorityFeePerGas: 7n };
    expect(
      replacementFeeQuote(low, { baseFeePerGas: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, gwei),
    ).toEqual({
      maxFeePerGas: 11n,
      maxPriorityFeePerGas: 8n,
    });
  });

  it("follows the chain's suggestion if that rose by more than an eighth", () => {
    const risen = { baseFeePerGas: 100n * gwei, maxFeePerGas: 240n * gwei, maxPriorityFeePerGas: 40n * gwei };
    expect(replacementFeeQuote(before, risen, 500n * gwei)).toEqual({
      maxFeePerGas: 240n * gwei,
      maxPriorityFeePerGas: 40n * gwei,
    });
  });

  it('does not exist when a raise by an eighth would exceed the ceiling', () => {
    expect(replacementFeeQuote(before, fees, 95n * gwei)).toBeUndefined();
  });

  it("does not exist while the chain's suggestion exceeds the ceiling", () => {
    const risen = { baseFeePerGas: 480n * gwei, maxFeePerGas: 985n * gwei, maxPriorityFeePerGas: 25n * gwei };
    expect(replacementFeeQuote(before, risen, 500n * gwei)).toBeUndefined();
  });
});

describe("a request while the chain's fees exceed the ceiling", () => {
  it('is rejected with a Retry-After header, and raises the event FeeCeilingReached', async () => {
    const raised: string[] = [];
    const feeQuote = knownFeeQuote(
      {
        chain: { fees: async () => fees },
        clock: () => 0,
        settings: { feeCeiling: 54n * gwei },
        events: { raise: (event) => raised.push(event) },
      },
      { state: undefined, gas: 21_000n },
    );

    await expect(feeQuote).rejects.toBeInstanceOf(ChainUnavailableError);
    await expect(feeQuote).rejects.toMatchObject({
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect(raised).toEqual(['FeeCeilingReached']);
  });
});
