import { describe, expect, it } from 'vitest';
import type { LoggedEntry } from '../../../shared/nft/transactions/entry.ts';
import { firstState } from '../../../shared/nft/transactions/nonce.ts';
import { hasUnfinishedWork } from '../../../shared/nft/waiter/ensure-waiter.ts';
import { aDecidedEntry } from '../../support/nft/decisions.ts';

const stateAt = ({
  final,
  logged = [],
  ...counts
}: {
  readonly final: number;
  /** The statuses of the log's entries, the first of which has the nonce 0. */
  readonly logged?: readonly LoggedEntry['status'][];
  readonly latest: number;
  readonly pending: number;
}) =>
  firstState(
    {
      chain: {
        transactionCounts: async () => counts,
        finalizedBlock: async () => ({ number: 7, hash: '0x07' }),
        minedCountAt: async () => final,
      },
      transactionLog: {
        range: async () =>
          logged.map((status, nonce): LoggedEntry => ({ ...aDecidedEntry({ nonce }), status })),
      },
      clock: () => 0,
      randomId: () => 'generation',
    },
    '31337#0x00000000000000000000000000000000000000aa',
  );

describe('the first state of a new signer', () => {
  it('starts at the nonce after an outsider’s pending transactions, and counts those as unfinished work', async () => {
    const state = await stateAt({ final: 2, latest: 3, pending: 5 });

    expect(state).toMatchObject({ nextNonce: 5, minedCount: 3, finalizedCount: 2 });
    expect(hasUnfinishedWork(state)).toBe(true);
  });

  it('has no unfinished work if all transactions of its key are final', async () => {
    const state = await stateAt({ final: 3, latest: 3, pending: 3 });

    expect(hasUnfinishedWork(state)).toBe(false);
  });

  it('starts at the final transaction count even if the endpoint that counts transactions lags behind', async () => {
    const state = await stateAt({ final: 3, latest: 1, pending: 1 });

    expect(state).toMatchObject({ nextNonce: 3, minedCount: 3, finalizedCount: 3 });
  });

  it('starts at the first entry of the log that is final but not decided, if the signer’s item was lost', async () => {
    const logged = ['confirmed', 'pending', 'failed'] as const;

    const state = await stateAt({ final: 3, latest: 3, pending: 3, logged });

    expect(state).toMatchObject({ nextNonce: 3, minedCount: 3, finalizedCount: 1 });
  });

  it('waits for a final entry whose status only a later release knows, if the signer’s item was lost', async () => {
    const state = await stateAt({
      final: 3,
      latest: 3,
      pending: 3,
      logged: ['confirmed', 'later', 'failed'],
    });

    expect(state).toMatchObject({ nextNonce: 3, finalizedCount: 1 });
  });

  it('goes on after the last entry of the log although the chain has none of them, if the signer’s item was lost', async () => {
    const state = await stateAt({ final: 0, latest: 0, pending: 0, logged: ['pending', 'pending'] });

    expect(state).toMatchObject({ nextNonce: 2, minedCount: 0, finalizedCount: 0 });
  });
});
