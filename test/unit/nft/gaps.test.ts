import { describe, expect, it } from 'vitest';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { reviewNonceGaps } from '../../../shared/nft/transactions/gaps.ts';
import { gapPatienceMilliseconds } from '../../../shared/nft/transactions/settings.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const now = 1_800_000_000_000;

const aState = (changes: Partial<SignerState> = {}): SignerState =>
  aSignerState({ nextNonce: 10, lastTakenAt: now, ...changes });

describe('a nonce without an entry', () => {
  it('is remembered when it is first seen', () => {
    expect(reviewNonceGaps({ missing: [3], state: aState(), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap: { through: 10, seenAt: now },
    });
  });

  it('is left alone while its handler may live', () => {
    const gap = { through: 10, seenAt: now - gapPatienceMilliseconds + 1 };
    expect(reviewNonceGaps({ missing: [3], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap,
    });
  });

  it('is given up when it was first seen longer ago than a handler lives, though other nonces are reserved all the time', () => {
    const gap = { through: 5, seenAt: now - gapPatienceMilliseconds };
    expect(reviewNonceGaps({ missing: [3, 4, 7], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [3, 4],
      gap: { through: 10, seenAt: now },
    });
  });

  it('is given up when no nonce was reserved for longer than a handler lives', () => {
    const state = aState({ lastTakenAt: now - gapPatienceMilliseconds });
    expect(reviewNonceGaps({ missing: [3, 9], state, minedCount: 3, now }).givenUp).toEqual([3, 9]);
  });

  it('is forgotten when it has an entry', () => {
    const gap = { through: 5, seenAt: now - 1 };
    expect(reviewNonceGaps({ missing: [], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap: undefined,
    });
  });

  it('starts a new waiting time when the nonces seen so far have entries and a later one has none', () => {
    const gap = { through: 5, seenAt: now - gapPatienceMilliseconds + 1 };
    expect(reviewNonceGaps({ missing: [8], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap: { through: 10, seenAt: now },
    });
  });

  it('is given up at once when the chain has counted it, and the others keep their time', () => {
    const gap = { through: 10, seenAt: now - 1 };
    expect(reviewNonceGaps({ missing: [3, 8], state: aState({ gap }), minedCount: 4, now })).toEqual({
      givenUp: [3],
      gap,
    });
  });
});
