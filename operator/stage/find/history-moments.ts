import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { HistoryEntry, Party } from '../../../shared/nft/history/history-entry.ts';
import { type TokenHistoryDependencies, tokenHistory } from '../../../shared/nft/history/token-history.ts';
import { applicationUserSubOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { nothingUnlessDenied } from '../../platform/terminal/access-denied.ts';
import { type Moment, moment, unknown } from './timeline.ts';

/** What is read besides the transaction log. */
export type HistoryTimelineDependencies = Pick<TokenHistoryDependencies, 'lines' | 'users' | 'subs'>;

/** Users who are not registered any more have no name. */
export const partyText = (party: Party | undefined): string => {
  switch (party?.kind) {
    case 'user':
      return applicationUserSubOf(party.standIn);
    case 'address':
      return party.address;
    case 'somebody':
      return 'a user who is not registered any more';
    case undefined:
      return 'a user';
  }
};

const textOf = ({ what, from, to }: HistoryEntry): string => {
  switch (what) {
    case 'reserved':
      return `reserved for ${partyText(to)}`;
    case 'given':
      return `given to ${partyText(to)}; until then reserved for ${partyText(from)}`;
    case 'updated':
      return 'its metadata was changed';
    case 'revoked':
      // `isTold` leaves the revocations that transactions do to the timeline.
      return 'revoked while it was reserved';
    case 'voided':
      return 'made void';
    case 'unvoided':
      return 'no longer void';
    case 'claimed':
    case 'minted':
      return what;
  }
};

/** What the transaction log tells, the timeline tells in more detail. */
const isTold = ({ what, transaction }: HistoryEntry): boolean =>
  transaction !== undefined || what === 'claimed';

/**
 * What happened to a token without a transaction, oldest first: `begin` until the first thing that may have been done to
 * it, and everything after.
 */
export const historyMoments = async (
  dependencies: Omit<TokenHistoryDependencies, 'contracts'>,
  { nft, contract }: { readonly nft: Nft; readonly contract: Contract },
): Promise<{ readonly begin: readonly Moment[]; readonly after: readonly Moment[] }> => {
  try {
    const { knownFrom, entries } = await tokenHistory(
      { ...dependencies, contracts: { find: async () => contract } },
      nft,
    );
    const begins = knownFrom === undefined ? undefined : new Date(knownFrom).toISOString();
    const isMissing = begins === undefined || begins > nft.createdAt;
    const before = begins === undefined ? 'at any time' : `before ${begins}`;
    const own = entries
      .filter((entry) => !isTold(entry))
      .map((entry) => moment(entry.at, `${textOf(entry)}${entry.by === undefined ? '' : ` (${entry.by})`}`));
    const reserved = nft.reservedFor === undefined ? 0 : 1;
    return {
      begin: [
        ...own.slice(0, reserved),
        ...(isMissing ? [unknown(`${before}, it may have been given away or void without a record`)] : []),
      ],
      after: own.slice(reserved),
    };
  } catch (cause) {
    nothingUnlessDenied(cause);
    const reason = cause instanceof Error ? cause.message : cause;
    return {
      begin: [
        ...(nft.reservedFor === undefined ? [] : [moment(nft.createdAt, 'reserved for a user')]),
        unknown(`the history cannot be read: ${reason}`),
      ],
      after: [],
    };
  }
};
