import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { zeroAddress } from '../../../shared/chain/hex.ts';
import { SupplyExhaustedError } from '../../../shared/nft/errors.ts';
import type { Places } from '../../../shared/nft/ports/supplies.ts';
import { takePlaces } from '../../../shared/nft/submit/supply.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { gapPatienceMilliseconds } from '../../../shared/nft/transactions/gaps.ts';

const now = 1_800_000_000_000;
const collection = { applicationId: 'one', contract: zeroAddress };
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Requests the only place of a supply, which another request holds. Returns how often the place was requested, and the
 * other calls.
 */
const askFor = async ({
  takenAt,
  isRecorded,
}: {
  readonly takenAt: number;
  readonly isRecorded: boolean;
}) => {
  const abandoned: Places = { ...collection, owner: 'dead', count: 1, firstTokenId: '1', takenAt };
  const calls: string[] = [];
  let isFree = false;
  const take = async (taking: Omit<Places, 'firstTokenId'>) => {
    calls.push('take');
    return isFree
      ? { places: { ...taking, firstTokenId: '2' }, left: 0, marked: [] }
      : { places: undefined, left: 0, marked: [abandoned] };
  };
  const outcome = await takePlaces(
    {
      supplies: {
        take,
        fence: async () => void calls.push('fence'),
        keep: async () => void calls.push('keep'),
        giveBack: async () => {
          // A write takes time.
          await setImmediate();
          calls.push('giveBack');
          isFree = true;
        },
        giveBackFailed: async () => {},
        takeReturned: async () => {},
      },
      nfts: { find: async () => (isRecorded ? ({} as Nft) : undefined) },
      holds: { release: async () => {} },
      leases: { release: async () => {} },
      counts: { giveBack: async () => {} },
      clock: () => now,
      logger,
      randomId: () => 'this request',
    },
    {
      taken: { hold: undefined, counted: { applicationId: 'one', what: 'mints', by: 1, day: '2027-01-15' } },
    },
    { ...collection, count: 1, maxSupply: 1 },
  ).catch((error: unknown) => error);
  return { outcome, calls };
};

describe('a request for the last place of a limited supply', () => {
  it('gets the place of a dead request at once, after it has made sure that nothing can be recorded there', async () => {
    const { outcome, calls } = await askFor({ takenAt: now - gapPatienceMilliseconds, isRecorded: false });

    expect(outcome).toMatchObject({ taken: { places: { firstTokenId: '2' } } });
    expect(calls).toEqual(['take', 'fence', 'giveBack', 'take']);
  });

  it('is refused if the dead request has recorded its token, whose place is then taken for good', async () => {
    const { outcome, calls } = await askFor({ takenAt: now - gapPatienceMilliseconds, isRecorded: true });

    expect(outcome).toBeInstanceOf(SupplyExhaustedError);
    expect(calls).toEqual(['take', 'keep']);
  });

  it('is refused while the other request may still be at work', async () => {
    const { outcome, calls } = await askFor({
      takenAt: now - gapPatienceMilliseconds + 1,
      isRecorded: false,
    });

    expect(outcome).toBeInstanceOf(SupplyExhaustedError);
    expect(calls).toEqual(['take']);
  });
});
