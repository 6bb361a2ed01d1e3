import { describe, expect, it } from 'vitest';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { gapPatienceMilliseconds, reviewNonceGaps } from '../../../shared/nft/transactions/gaps.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const now = 1_800_000_000_000;

const aState = (changes: Partial<SignerState> = {}): SignerState =>
  aSignerState({ nextNonce: 10, lastTakenAt: now, ...changes });

describe('a nonce gap', () => {
  it('is remembered with the time when it is first seen', () => {
    expect(reviewNonceGaps({ missing: [3], state: aState(), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap: { through: 10, seenAt: now },
    });
  });

  it('is left open while the handler that reserved the nonce can still be running', () => {
    const gap = { through: 10, seenAt: now - gapPatienceMilliseconds + 1 };
    expect(reviewNonceGaps({ missing: [3], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap,
    });
  });

  it('is given up once no handler can still be running, even if other nonces are still being reserved', () => {
    const gap = { through: 5, seenAt: now - gapPatienceMilliseconds };
    expect(reviewNonceGaps({ missing: [3, 4, 7], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [3, 4],
      gap: { through: 10, seenAt: now },
    });
  });

  it('is given up when the last reservation of any nonce is older than the life of a handler', () => {
    const state = aState({ lastTakenAt: now - gapPatienceMilliseconds });
    expect(reviewNonceGaps({ missing: [3, 9], state, minedCount: 3, now }).givenUp).toEqual([3, 9]);
  });

  it('is forgotten when its nonce gets a log entry', () => {
    const gap = { through: 5, seenAt: now - 1 };
    expect(reviewNonceGaps({ missing: [], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap: undefined,
    });
  });

  it('gets a new waiting time when it lies above the nonces that were waited for', () => {
    const gap = { through: 5, seenAt: now - gapPatienceMilliseconds + 1 };
    expect(reviewNonceGaps({ missing: [8], state: aState({ gap }), minedCount: 3, now })).toEqual({
      givenUp: [],
      gap: { through: 10, seenAt: now },
    });
  });

  it('is given up at once when the chain has used its nonce, while other gaps keep waiting', () => {
    const gap = { through: 10, seenAt: now - 1 };
    expect(reviewNonceGaps({ missing: [3, 8], state: aState({ gap }), minedCount: 4, now })).toEqual({
      givenUp: [3],
      gap,
    });
  });
});
