import { describe, expect, it } from 'vitest';
import { signerIdOf } from '../../../shared/nft/entry.ts';
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
