import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../../shared/nft/transactions/purpose.ts';
import { provesWork } from '../../../shared/nft/waiter/proof.ts';
import { aReceipt } from '../../support/nft/receipt.ts';

const contract = '0x00000000000000000000000000000000000000cc';
const collection = { applicationId: 'one', contract } as const;
const destination = '0x00000000000000000000000000000000000000aa';
const reverted = aReceipt('0x01', { status: 'reverted' });

describe('the receipt of a transaction that reverted', () => {
  it.each<[string, Purpose]>([
    ['a deployment', { kind: 'deploy', ...collection }],
    ['a mint', { kind: 'mint', ...collection, firstTokenId: '7', destinations: [destination] }],
    ['a claim', { kind: 'claim', ...collection, tokenId: '7', destination }],
    ['a revocation', { kind: 'revoke', ...collection, tokenId: '7' }],
  ])('does not prove the work of %s', (_, purpose) => {
    expect(provesWork(reverted, purpose)).toBe(false);
  });

  it('suffices for a noop, which has no work', () => {
    expect(provesWork(reverted, { kind: 'noop' })).toBe(true);
  });
});

describe('the receipt of a transaction that succeeded without a log', () => {
  it('does not prove the work of a mint, because a call to an address without code succeeds too', () => {
    const purpose: Purpose = {
      kind: 'mint',
      ...collection,
      firstTokenId: '7',
      destinations: [destination],
    };

    expect(provesWork({ ...reverted, status: 'success' }, purpose)).toBe(false);
  });
});
