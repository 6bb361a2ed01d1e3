import { describe, expect, it, vi } from 'vitest';
import { watchSignersHandler } from '../../../functions/nft/watch-signers/handler.ts';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { StageGauges } from '../../../shared/nft/ports/metrics.ts';
import type { SignerState } from '../../../shared/nft/ports/signers.ts';
import { signerInRecord } from '../../../shared/nft/store/log-records.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';
import { remedy } from '../../support/platform/remedy.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const now = Date.parse('2026-11-24T12:00:00Z');

const stateOf = (id: string, finalizedCount = 1): SignerState =>
  aSignerState({ id, nextNonce: 2, minedCount: 1, finalizedCount });

/** Sets up the handler. Step Functions start no execution for the signers in `broken`. */
const start = ({
  states,
  broken,
  mined,
  entries = [],
  coins = {},
  silent = [],
}: {
  readonly states: SignerState[];
  readonly broken: string[];
  /**
   * The counts of mined transactions by address. For an address that is not listed, all final transactions are mined.
   * If `undefined`, no endpoint answers.
   */
  readonly mined: Readonly<Record<string, number>> | undefined;
  /** Entries of the transaction log. */
  readonly entries?: readonly Entry[];
  /** The places of the RPC endpoints that do not answer. @default all answer */
  readonly silent?: readonly number[];
  /** Balances in wei, by address. @default five coins */
  readonly coins?: Readonly<Record<string, bigint>>;
}) => {
  const measured: Parameters<StageGauges['measureStage']>[0][] = [];
  const started: string[] = [];
  const asked: (readonly string[])[] = [];
  const handler = watchSignersHandler({
    chain: {
      chainId: 1,
      minedCounts: async (addresses) => {
        asked.push(addresses);
        if (mined === undefined) throw new ChainUnavailableError({ message: 'Nobody is there' });
        return new Map(addresses.map((address) => [address, mined[address] ?? 2]));
      },
      balances: async (addresses) => {
        if (mined === undefined) throw new ChainUnavailableError({ message: 'Nobody is there' });
        return new Map(addresses.map((address) => [address, coins[address] ?? 5n * 10n ** 18n]));
      },
      silentEndpoints: async () => {
        if (mined === undefined) throw new ChainUnavailableError({ message: 'Nobody is there' });
        return silent;
      },
    },
    transactionLog: {
      find: async ({ signer, nonce }) =>
        entries.find((each) => each.signer === signer && each.nonce === nonce),
    },
    events: { measureStage: (stage) => measured.push(stage) },
    clock: () => now,
    signers: {
      find: async (id) => states.find((state) => state.id === id),
      list: async () => states,
      swapGeneration: async () => true,
    },
    executions: {
      start: async ({ signer }) => {
        if (broken.includes(signer)) throw new Error(`No execution for ${signer}`);
        started.push(signer);
        return 'running';
      },
    },
    signerInRecord,
    randomId: () => 'new',
    logger,
  });
  return { handler, started, asked, measured };
};

describe('the schedule that starts waiters', () => {
  it('starts a waiter for every signer with unfinished work', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b', 2), stateOf('1#c')],
      broken: [],
      mined: {},
    });

    remedy('the-waiter-starts-late');
    remedy('a-schedule-fails');
    await handler({});

    expect(started).toEqual(['1#a', '1#c']);
  });

  it('starts the waiters of the other signers if one cannot be started, and then fails', async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b'), stateOf('1#c')],
      broken: ['1#a'],
      mined: {},
    });

    await expect(handler({})).rejects.toThrow(/1#a/);

    expect(started).toEqual(['1#b', '1#c']);
  });
});

describe('the schedule, for signers without unfinished work', () => {
  const states = [stateOf('1#0xa', 2), stateOf('1#0xb'), stateOf('1#0xc', 2), stateOf('2#0xd', 2)];

  it('starts a waiter when the chain has lost final transactions, and requests all counts at once', async () => {
    const { handler, started, asked } = start({ states, broken: [], mined: { '0xc': 1 } });

    await handler({});

    expect(started).toEqual(['1#0xb', '1#0xc']);
    expect(asked).toEqual([['0xa', '0xc']]);
  });

  it('starts a waiter if the chain has mined a transaction of the signer that the log does not have', async () => {
    const { handler, started } = start({ states, broken: [], mined: { '0xa': 3 } });

    await handler({});

    expect(started).toEqual(['1#0xb', '1#0xa']);
  });

  it('skips these signers while no endpoint answers, and starts the waiters of the others', async () => {
    const { handler, started } = start({ states, broken: [], mined: undefined });

    await handler({});

    expect(started).toEqual(['1#0xb']);
  });
});

const entryOf = (signer: string, nonce: number, secondsAgo: number): Entry => ({
  signer,
  nonce,
  purpose: { kind: 'noop' },
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
  status: 'pending',
  missingLooks: 0,
});

describe('the metrics that the schedule writes', () => {
  const states = [
    { ...stateOf('1#0xa'), nextNonce: 9, minedCount: 2 },
    stateOf('1#0xb'),
    { ...stateOf('1#0xc', 2), lastTakenAt: now - 7_000_000 },
  ];
  const entries = [entryOf('1#0xa', 1, 40), entryOf('1#0xb', 1, 900)];

  it('are the oldest transaction, the longest queue and the lowest balance, each with its signer', async () => {
    const { handler, measured } = start({
      states,
      broken: [],
      mined: {},
      entries,
      coins: { '0xc': 10n ** 17n },
    });

    await handler({});

    expect(measured).toEqual([
      {
        measures: {
          OldestUnfinishedSeconds: 900,
          LongestQueue: 7,
          LowestBalanceCoins: 0.1,
          RpcUnavailable: 0,
          RpcEndpointsSilent: 0,
        },
        signers: { OldestUnfinishedSeconds: '1#0xb', LongestQueue: '1#0xa', LowestBalanceCoins: '1#0xc' },
      },
    ]);
  });

  it('are written even if no waiter starts and no endpoint answers', async () => {
    const { handler, measured } = start({ states, broken: ['1#0xa', '1#0xb'], mined: undefined, entries });

    await expect(handler({})).rejects.toThrow();

    expect(measured).toMatchObject([
      { measures: { OldestUnfinishedSeconds: 900, LowestBalanceCoins: undefined, RpcUnavailable: 1 } },
    ]);
  });

  it('count the RPC endpoints that do not answer, and the log names them by their places', async () => {
    const warned = vi.spyOn(logger, 'warn').mockImplementation(() => {});
    const { handler, measured } = start({ states, broken: [], mined: {}, entries, silent: [2] });

    await handler({});

    expect(measured).toMatchObject([{ measures: { RpcUnavailable: 0, RpcEndpointsSilent: 1 } }]);
    expect(warned.mock.calls).toContainEqual(['RPC endpoints do not answer', { endpoints: [2] }]);
    warned.mockRestore();
  });

  it('count the age from the last reservation when a nonce was reserved and not used', async () => {
    const reserved = { ...stateOf('1#0xa'), lastTakenAt: now - 61_500 };
    const { handler, measured } = start({ states: [reserved], broken: [], mined: {} });

    await handler({});

    expect(measured).toMatchObject([{ measures: { OldestUnfinishedSeconds: 61.5 } }]);
  });

  it('contain an age of 0 while all transactions are final', async () => {
    const { handler, measured } = start({ states: [stateOf('1#0xa', 2)], broken: [], mined: {} });

    await handler({});

    expect(measured).toMatchObject([{ measures: { OldestUnfinishedSeconds: 0, LowestBalanceCoins: 5 } }]);
  });
});

describe('the stream that starts waiters', () => {
  it("starts the other waiters if one cannot be started, and returns that signer's record for a retry", async () => {
    const { handler, started } = start({
      states: [stateOf('1#a'), stateOf('1#b'), stateOf('1#c')],
      broken: ['1#a'],
      mined: {},
    });
    const Records = ['1#b', '1#a', '1#c', '1#a'].map((signer, index) => ({
      dynamodb: { SequenceNumber: String(index), Keys: { pk: { S: signer } } },
    }));

    const answer = await handler({ Records });

    expect(started).toEqual(['1#b', '1#c']);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});
