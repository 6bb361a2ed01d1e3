import { describe, expect, it } from 'vitest';
import { signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { type RunPassDependencies, runPass } from '../../../shared/nft/waiter/pass.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const signer = signerIdOf({ chainId: 31_337, address: '0x00000000000000000000000000000000000000aa' });

/** A pass that has time for no round, or finds another generation of the signer in its first one. */
const pass = async ({ passes, storedGeneration }: { passes?: number; storedGeneration?: string }) => {
  const swaps: string[] = [];
  const dependencies = {
    signer: { id: signer, number: 1 },
    signers: {
      find: async () => aSignerState({ id: signer, generation: storedGeneration ?? 'two' }),
      swapGeneration: async ({ from, to }: { readonly from: string; readonly to: string }) => {
        swaps.push(`${from} to ${to}`);
        return true;
      },
    },
    events: { raise: () => {}, measure: () => {} },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    clock: () => 0,
    randomId: () => 'two',
    passMilliseconds: storedGeneration === undefined ? 0 : 1,
  } as unknown as RunPassDependencies;
  const result = await runPass(dependencies, {
    signer,
    generation: 'one',
    ...(passes !== undefined && { passes }),
  });
  return { result, swaps };
};

describe('a pass of the waiter', () => {
  it('is followed by another pass of the same execution if its time is over', async () => {
    const { result, swaps } = await pass({});

    expect(result).toEqual({ signer, generation: 'one', passes: 1, again: true });
    expect(swaps).toEqual([]);
  });

  it('hands over to a new execution when the history of its own is nearly full', async () => {
    const { result, swaps } = await pass({ passes: 10_000 });

    expect(result).toEqual({ signer, generation: 'one', passes: 10_001, again: false });
    expect(swaps).toEqual(['one to two']);
  });

  it('ends without a change if another execution has taken over', async () => {
    const { result, swaps } = await pass({ storedGeneration: 'another' });

    expect(result).toEqual({ signer, generation: 'one', passes: 1, again: false });
    expect(swaps).toEqual([]);
  });
});

describe('the rounds of a pass', () => {
  /** Runs rounds in which nothing changes on the chain until blocks become final again, and counts them. */
  const run = async (passMilliseconds: number, { finalAgainAt = Number.POSITIVE_INFINITY } = {}) => {
    let now = 0;
    let rounds = 0;
    const rotations: number[] = [];
    const dependencies = {
      signer: { id: signer, number: 1 },
      signers: {
        find: async () => aSignerState({ id: signer, generation: 'one' }),
        saveProgress: async () => {},
      },
      transactionLog: { range: async () => [] },
      chain: {
        // An outsider with the signer's key has sent a transaction, which is not final yet.
        transactionCounts: async () => ({ latest: 1, pending: 1 }),
        finalizedBlock: async () => ({ number: now < finalAgainAt ? 1 : now, hash: '0x01' }),
        minedCountAt: async () => 0,
        fees: async () => {
          rounds += 1;
          return { baseFeePerGas: 1n, maxPriorityFeePerGas: 1n };
        },
        balance: async () => 1n,
        rotateEndpoint: async () => {
          rotations.push(now);
        },
      },
      events: { raise: () => {}, measure: () => {} },
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      // A millisecond passes with each look at it.
      clock: () => now++,
      wait: async (milliseconds: number) => {
        now += milliseconds;
      },
      randomId: () => 'two',
      settings: { inFlightCap: 16 },
      passMilliseconds,
      roundMilliseconds: 200,
    } as unknown as RunPassDependencies;
    const result = await runPass(dependencies, { signer, generation: 'one' });
    return { result, rounds, rotations };
  };

  it('follow each other after a pause as long as they have nothing to decide', async () => {
    const { result, rounds } = await run(1_000);

    expect(result).toMatchObject({ again: true });
    expect(rounds).toBe(5);
  });

  it('ask another endpoint each time that no block has become final for half a minute', async () => {
    const { rotations } = await run(100_000);

    expect(rotations).toHaveLength(3);
    for (const [index, at] of [0, ...rotations].entries()) {
      const next = rotations[index];
      if (next !== undefined) expect(next - at).toBeGreaterThanOrEqual(30_000);
    }
  });

  it('stay with the endpoint whose blocks become final again', async () => {
    const { rotations } = await run(100_000, { finalAgainAt: 40_000 });

    expect(rotations).toHaveLength(1);
  });
});

describe('a count on the chain above the next nonce', () => {
  /** Runs a round that reads these next nonces, one after the other, and fails as soon as it has raised the next nonce. */
  const round = async (reads: readonly number[]) => {
    const raised: unknown[] = [];
    const left = [...reads];
    let now = 0;
    const dependencies = {
      signer: { id: signer, number: 1 },
      signers: {
        find: async () => aSignerState({ id: signer, generation: 'one', nextNonce: left.shift() ?? 0 }),
        raiseNextNonce: async () => {
          throw new Error('The function was stopped');
        },
      },
      transactionLog: {
        range: async () => {
          throw new Error('The nonces are known');
        },
      },
      chain: {
        transactionCounts: async () => ({ latest: 3, pending: 3 }),
        finalizedBlock: async () => ({ number: 9, hash: '0x01' }),
        minedCountAt: async () => 3,
      },
      events: {
        raise: (event: string, fields: object) => {
          raised.push({ event, ...fields });
        },
        measure: () => {},
      },
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      clock: () => now++,
      passMilliseconds: 2,
      roundMilliseconds: 0,
    } as unknown as RunPassDependencies;
    await expect(runPass(dependencies, { signer, generation: 'one' })).rejects.toThrow();
    return raised;
  };

  it('is reported even if the round fails as soon as it has raised the next nonce', async () => {
    expect(await round([1, 1])).toEqual([{ event: 'KeyUsedElsewhere', signer, next: 1, mined: 3 }]);
  });

  it('is not reported if this service has reserved the nonces since the round began', async () => {
    expect(await round([1, 3])).toEqual([]);
  });
});
