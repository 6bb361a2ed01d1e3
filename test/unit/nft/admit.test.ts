import { describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { zeroAddress } from '../../../shared/chain/hex.ts';
import { LimitTooSmallError } from '../../../shared/nft/errors.ts';
import type { KeyState } from '../../../shared/nft/ports/holds.ts';
import { type AdmissionRequest, admit } from '../../../shared/nft/submit/admit.ts';
import { holdingDeadline } from '../../../shared/nft/submit/deadlines.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const midnight = Date.parse('2026-05-02T00:00:00Z');
const hold = {
  scope: { applicationId: 'one', operation: 'mint', key: 'k' },
  bodyHash: 'b',
  owner: 'this request',
};

/**
 * Requests admission at `now` for a request with an idempotency key. `held` is the state of the key when the request
 * tries to take it.
 */
const asking = async ({
  now = midnight,
  isCounted = true,
  held,
  ...changes
}: Partial<AdmissionRequest> & {
  readonly now?: number;
  readonly isCounted?: boolean;
  readonly held?: KeyState;
} = {}) => {
  const calls: string[] = [];
  const admission = admit(
    {
      chain: { fees: async () => ({ baseFeePerGas: 1n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n }) },
      holds: {
        take: async () => {
          calls.push('take');
          return held;
        },
        release: async () => {
          calls.push('release');
        },
      },
      counts: {
        count: async () => {
          calls.push('count');
          return isCounted;
        },
      },
      requireFunds: async () => {},
      backpressure: { requireNone: () => {} },
      events: { raise: () => {} },
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      clock: () => now,
      settings: { feeCeiling: 100n },
    },
    {
      application: { id: 'one' },
      signer: { id: aSignerState().id, signer: localSigner(), state: undefined } as never,
      hold,
      quota: { what: 'mints', by: 1, limit: 10 },
      gas: 21_000n,
      startedAt: now,
      ...changes,
    },
  );
  const outcome = await admission.catch((error: unknown) => error);
  return { outcome, calls };
};

describe('the admission of a request', () => {
  it('names the seconds until the next day when the daily limit is reached, and releases the key', async () => {
    const { outcome, calls } = await asking({ now: midnight - 90_500, isCounted: false });

    expect(outcome).toMatchObject({ code: 'DAILY_LIMIT_REACHED', headers: { 'retry-after': '91' } });
    expect(calls).toEqual(['take', 'count', 'release']);
  });

  it('returns the result of the request that had the key before', async () => {
    const result = { kind: 'contract', address: zeroAddress } as const;

    const { outcome, calls } = await asking({ held: { state: 'done', bodyHash: 'b', result } });

    expect(outcome).toEqual({ outcome: 'repeated', result });
    expect(calls).toEqual(['take']);
  });

  it('is refused before it takes the key if the request alone exceeds the daily limit', async () => {
    const { outcome, calls } = await asking({ quota: { what: 'mints', by: 11, limit: 10 } });

    expect(outcome).toBeInstanceOf(LimitTooSmallError);
    expect(calls).toEqual([]);
  });

  it('is refused before it takes the key from the moment at which too little time is left', async () => {
    const late = midnight - (holdingDeadline(midnight) - midnight);

    expect((await asking({ startedAt: late + 1 })).outcome).toMatchObject({ outcome: 'admitted' });
    const { outcome, calls } = await asking({ startedAt: late });

    expect(outcome).toBeInstanceOf(ChainUnavailableError);
    expect(calls).toEqual([]);
  });
});
