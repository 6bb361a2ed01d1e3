import { afterEach, describe, expect, it, vi } from 'vitest';
import { metricEvents } from '../../../shared/nft/aws/metrics.ts';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { newPass } from '../../../shared/nft/waiter/pass-state.ts';
import { measuresOf } from '../../../shared/nft/waiter/signer-measures.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const signer = '137#0x00000000000000000000000000000000000000aa';

const ports = (state: Pick<SignerState, 'nextNonce' | 'minedCount'>, wei: bigint) => ({
  chain: { balance: async () => wei },
  signers: { find: async () => aSignerState(state) },
});

describe('the metrics of a signer', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('contain its balance and what the last pass of the waiter did', async () => {
    const pass = newPass(ports({ nextNonce: 8, minedCount: 6 }, 12_500_000_000_000_000_000n), signer);
    pass.done.mined = 2;
    pass.done.secondsToConfirmation.push(8.5);

    const measures = await measuresOf(pass);

    expect(measures).toEqual({
      BalanceCoins: 12.5,
      GasPriceGwei: undefined,
      Mined: 2,
      SecondsToConfirmation: [8.5],
    });
  });

  it('are written as one log line in the embedded metric format', () => {
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
        BalanceCoins: 12.5,
        GasPriceGwei: undefined,
        Mined: 1,
        SecondsToConfirmation: [7, 8],
      },
    });
    events.raise('FundsShort', {});
    events.measureStage({
      measures: {
        OldestUnfinishedSeconds: 61.5,
        LongestQueue: 2,
        LowestBalanceCoins: undefined,
        RpcUnavailable: 1,
        RpcEndpointsSilent: 2,
      },
      signers: { OldestUnfinishedSeconds: signer, LongestQueue: signer, LowestBalanceCoins: undefined },
    });

    expect(lines.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
      {
        _aws: {
          CloudWatchMetrics: [
            {
              Namespace: 'Marquee/prod',
              Dimensions: [['service', 'signer']],
              Metrics: [{ Name: 'BalanceCoins' }, { Name: 'Mined' }, { Name: 'SecondsToConfirmation' }],
            },
          ],
        },
        service: 'nft',
        signer: '3',
        BalanceCoins: 12.5,
        Mined: 1,
        SecondsToConfirmation: [7, 8],
      },
      {
        _aws: { CloudWatchMetrics: [{ Dimensions: [['service']], Metrics: [{ Name: 'FundsShort' }] }] },
        service: 'nft',
        FundsShort: 1,
      },
      {
        _aws: {
          CloudWatchMetrics: [
            {
              Dimensions: [['service']],
              Metrics: [
                { Name: 'OldestUnfinishedSeconds' },
                { Name: 'LongestQueue' },
                { Name: 'RpcUnavailable' },
                { Name: 'RpcEndpointsSilent' },
              ],
            },
          ],
        },
        service: 'nft',
        OldestUnfinishedSeconds: 61.5,
        OldestUnfinishedSeconds_of: signer,
        LongestQueue: 2,
        RpcUnavailable: 1,
        RpcEndpointsSilent: 2,
      },
    ]);
  });
});
