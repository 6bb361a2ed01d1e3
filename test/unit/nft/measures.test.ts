import { afterEach, describe, expect, it, vi } from 'vitest';
import { metricEvents } from '../../../shared/adapters/metrics/nft-events.ts';
import type { Entry } from '../../../shared/nft/entry.ts';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { measuresOf } from '../../../shared/nft/waiter/measures.ts';
import { newPass } from '../../../shared/nft/waiter/pass-state.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const now = Date.parse('2026-11-20T09:15:00Z');
const signer = '137#0x00000000000000000000000000000000000000aa';

const ports = (state: Pick<SignerState, 'nextNonce' | 'minedCount'>, wei: bigint) => ({
  clock: () => now,
  chain: { balance: async () => wei },
  signers: { find: async () => aSignerState(state) },
});

const anEntry = (
  nonce: number,
  { status, secondsAgo }: Pick<Entry, 'status'> & { readonly secondsAgo: number },
): Entry => ({
  signer,
  nonce,
  purpose: { kind: 'fill' },
  gas: 21_000n,
  attempts: [
    {
      hash: '0x01',
      raw: '0x02',
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      signedAt: now - secondsAgo * 1_000,
    },
  ],
  status,
  missingLooks: 0,
});

describe('what is measured of a signer', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('is what waits, for how long, what it has left, and what the pass has done', async () => {
    const pass = newPass(ports({ nextNonce: 8, minedCount: 6 }, 12_500_000_000_000_000_000n), signer);
    pass.entries.set(5, anEntry(5, { status: 'confirmed', secondsAgo: 900 }));
    pass.entries.set(6, anEntry(6, { status: 'pending', secondsAgo: 61.5 }));
    pass.entries.set(7, anEntry(7, { status: 'pending', secondsAgo: 3 }));
    pass.done.mined = 2;
    pass.done.secondsToConfirmation.push(8.5);

    const measures = await measuresOf(pass);

    expect(measures).toEqual({
      InFlight: 2,
      OldestPendingSeconds: 61.5,
      BalanceCoins: 12.5,
      GasPriceGwei: undefined,
      Mined: 2,
      SecondsToConfirmation: [8.5],
    });
  });

  it('is nothing in flight when the chain has mined more than was handed out', async () => {
    const measures = await measuresOf(newPass(ports({ nextNonce: 8, minedCount: 9 }, 0n), signer));

    expect(measures).toMatchObject({ InFlight: 0, OldestPendingSeconds: 0, BalanceCoins: 0 });
  });

  it('is written as one line that CloudWatch makes metrics of', () => {
    // In development mode, Powertools writes to the console on which the test can spy.
    vi.stubEnv('POWERTOOLS_DEV', 'true');
    vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
    const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
    const silent = () => {};
    const events = metricEvents({
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      namespace: 'Marquee/prod',
    });

    events.measure({
      signer: 3,
      measures: {
        InFlight: 2,
        OldestPendingSeconds: 61.5,
        BalanceCoins: 12.5,
        GasPriceGwei: undefined,
        Mined: 1,
        SecondsToConfirmation: [7, 8],
      },
    });
    events.raise('FundsShort', {});

    expect(lines.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      {
        _aws: {
          CloudWatchMetrics: [
            {
              Namespace: 'Marquee/prod',
              Dimensions: [['service', 'signer']],
              Metrics: [
                { Name: 'InFlight' },
                { Name: 'OldestPendingSeconds' },
                { Name: 'BalanceCoins' },
                { Name: 'Mined' },
                { Name: 'SecondsToConfirmation' },
              ],
            },
          ],
        },
        service: 'nft',
        signer: '3',
        InFlight: 2,
        OldestPendingSeconds: 61.5,
        BalanceCoins: 12.5,
        Mined: 1,
        SecondsToConfirmation: [7, 8],
      },
      {
        _aws: { CloudWatchMetrics: [{ Dimensions: [['service']], Metrics: [{ Name: 'FundsShort' }] }] },
        service: 'nft',
        FundsShort: 1,
      },
    ]);
  });
});
