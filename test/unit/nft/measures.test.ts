import { afterEach, describe, expect, it, vi } from 'vitest';
import { metricEvents } from '../../../shared/adapters/metrics/nft-events.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../../shared/nft/ports/signers.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import { measuresOf } from '../../../shared/nft/waiter/measures.ts';
import { startWatch } from '../../../shared/nft/waiter/pass-state.ts';

const now = Date.parse('2026-11-20T09:15:00Z');
const signer = '137#0x00000000000000000000000000000000000000aa';

const ports = (state: Pick<SignerState, 'nextNonce' | 'minedCount'> | undefined, wei: bigint) => ({
  clock: () => now,
  chain: { balance: async () => wei } as Partial<Chain> as Chain,
  signers: { find: async () => state as SignerState | undefined } as Partial<Signers> as Signers,
});

const anEntry = (nonce: number, entry: Pick<Entry, 'status'> & { readonly secondsAgo: number }): Entry =>
  ({
    nonce,
    status: entry.status,
    attempts: [{ signedAt: now - entry.secondsAgo * 1_000 }],
  }) as unknown as Entry;

describe('what is measured of a signer', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('is what waits, for how long, and what it has left', async () => {
    const watch = startWatch(signer);
    watch.entries.set(5, anEntry(5, { status: 'confirmed', secondsAgo: 900 }));
    watch.entries.set(6, anEntry(6, { status: 'pending', secondsAgo: 61.5 }));
    watch.entries.set(7, anEntry(7, { status: 'pending', secondsAgo: 3 }));

    const measures = await measuresOf(
      ports({ nextNonce: 8, minedCount: 6 }, 12_500_000_000_000_000_000n),
      watch,
    );

    expect(measures).toEqual({ InFlight: 2, OldestPendingSeconds: 61.5, BalanceCoins: 12.5 });
  });

  it('is nothing in flight when the chain has mined more than was handed out', async () => {
    const measures = await measuresOf(ports({ nextNonce: 8, minedCount: 9 }, 0n), startWatch(signer));

    expect(measures).toEqual({ InFlight: 0, OldestPendingSeconds: 0, BalanceCoins: 0 });
  });

  it('is written as one line that CloudWatch makes metrics of', () => {
    // Powertools then writes to the console that a test can listen to.
    vi.stubEnv('POWERTOOLS_DEV', 'true');
    vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
    const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
    const silent = () => {};
    const events = metricEvents({
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      namespace: 'Marquee/prod',
    });

    events.measure({ InFlight: 2, OldestPendingSeconds: 61.5, BalanceCoins: 12.5 });

    expect(lines.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      {
        _aws: {
          CloudWatchMetrics: [
            {
              Namespace: 'Marquee/prod',
              Dimensions: [['service']],
              Metrics: [{ Name: 'InFlight' }, { Name: 'OldestPendingSeconds' }, { Name: 'BalanceCoins' }],
            },
          ],
        },
        service: 'nft',
        InFlight: 2,
        OldestPendingSeconds: 61.5,
        BalanceCoins: 12.5,
      },
    ]);
  });
});
