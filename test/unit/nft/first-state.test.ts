import { describe, expect, it } from 'vitest';
import { firstState } from '../../../shared/nft/transactions/nonce.ts';
import { hasUnfinishedWork } from '../../../shared/nft/waiter/executions.ts';

const stateAt = ({
  final,
  ...counts
}: {
  readonly final: number;
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
});
