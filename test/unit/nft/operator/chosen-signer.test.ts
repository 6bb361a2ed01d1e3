import { expect, it } from 'vitest';
import { listedSigners } from '../../../../operator/nft/transactions/chosen-signer.ts';
import { aSignerState } from '../../../support/nft/signer-state.ts';

const idOf = (number: number) => `137#0x${String(number).padStart(40, '0')}` as const;

it('transactions of signers are listed although the key of one does not answer', async () => {
  const dependencies = {
    chain: { chainId: 137 },
    keys: { list: async () => [{ id: idOf(1), signer: { number: 1 } as never }] },
    signers: {
      list: async () => [
        aSignerState({ id: idOf(3) }),
        aSignerState({ id: idOf(2), nextNonce: 5, finalizedCount: 4 }),
        aSignerState({ id: idOf(1), nextNonce: 1 }),
      ],
    },
  };

  expect(await listedSigners(dependencies, undefined)).toEqual([idOf(1), idOf(2)]);
  expect(await listedSigners(dependencies, '1')).toEqual([idOf(1)]);
});
