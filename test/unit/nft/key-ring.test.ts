import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { Signer } from '../../../shared/nft/ports/chain.ts';
import { keyRing } from '../../../shared/nft/transactions/key-ring.ts';

const aSigner = (number: number, address: () => Promise<`0x${string}`>): Signer => ({
  number,
  chainId: 137,
  address,
  sign: async () => ({ raw: '0x', hash: '0x' }),
});

const answering = (number: number) => aSigner(number, async () => `0x${String(number).repeat(40)}`);
const refusing = (number: number) =>
  aSigner(number, async () => {
    throw new ChainUnavailableError({ message: 'KMS is away' });
  });
const hanging = (number: number) => aSigner(number, () => new Promise(() => {}));
const idOf = (number: number) => `137#0x${String(number).repeat(40)}`;

describe('the key ring of the signers', () => {
  it('finds a signer by its id, and does not find an unknown id', async () => {
    const keys = keyRing([answering(1), answering(2)]);

    expect((await keys.find(idOf(2)))?.signer.number).toBe(2);
    expect(await keys.find(idOf(3))).toBeUndefined();
    expect((await keys.list()).map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  });

  it('waits only for the key that is requested, not for keys that hang', async () => {
    const keys = keyRing([hanging(1), refusing(2), answering(3)]);

    expect((await keys.find(idOf(3)))?.signer.number).toBe(3);
  });

  it('reports that a key is unavailable, not that the signer is missing, while the key does not answer', async () => {
    const keys = keyRing([refusing(1), answering(2)]);

    await expect(keys.find(idOf(1))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
    expect((await keys.list()).map(({ id }) => id)).toEqual([idOf(2)]);
  });
});
