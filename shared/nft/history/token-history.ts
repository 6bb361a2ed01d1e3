import type { Address } from '../../chain/hex.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import type { Users } from '../../users/ports/users.ts';
import { ContractNotFoundError, NftNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { HistoryLines } from '../ports/history-lines.ts';
import { applicationUserSubOf } from '../reservations/stand-in.ts';
import type { Nft } from '../tokens/nft.ts';
import { assemble, type HeldEntry } from './assemble.ts';
import type { History, HistoryEntry, Party } from './entry.ts';
import { type WorksDependencies, worksOf } from './works.ts';

export interface HistoryDependencies extends WorksDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly lines: Pick<HistoryLines, 'ofToken'>;
}

export interface TokenHistoryDependencies extends HistoryDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationsOf'>;
}

/** How many entries of a token's history are told, the newest ones. */
export const historyEntriesAtMost = 1_000;

/** How many users are looked up at once. */
const usersAtOnce = 100;

const latest = (...times: readonly (number | undefined)[]): number =>
  Math.max(...times.filter((time) => time !== undefined));

const readHistory = async (
  dependencies: HistoryDependencies,
  nft: Nft,
): Promise<{ readonly entries: readonly HeldEntry[]; readonly knownFrom: number | undefined }> => {
  const { applicationId, contract: address } = nft;
  const contract = await dependencies.contracts.find({ applicationId, address });
  if (contract === undefined) throw new ContractNotFoundError({ address });
  const [{ lines, isMore }, { works, completeFrom }] = await Promise.all([
    dependencies.lines.ofToken({ ...nft, limit: historyEntriesAtMost }),
    worksOf(dependencies, { nft, contract }),
  ]);
  const { entries: all, knownFrom } = assemble(nft, { lines, works });
  const entries = all.slice(-historyEntriesAtMost);
  const isCut = isMore || entries.length < all.length;
  return {
    entries,
    knownFrom:
      knownFrom === undefined
        ? undefined
        : latest(knownFrom, completeFrom, isCut ? entries[0]?.at : undefined),
  };
};

const standInsIn = (entries: readonly HistoryEntry[]): readonly Address[] => [
  ...new Set(
    entries
      .flatMap(({ from, to }) => [from, to])
      .flatMap((party) => (party?.kind === 'user' ? [party.standIn] : [])),
  ),
];

/** Those of the users who are registered now, as they were when the application got its identifier for them. */
const registered = async (
  { subs, users }: Pick<TokenHistoryDependencies, 'subs' | 'users'>,
  applicationId: string,
  standIns: readonly Address[],
): Promise<ReadonlySet<Address>> => {
  const known = new Set<Address>();
  for (let first = 0; first < standIns.length; first += usersAtOnce) {
    const some = standIns.slice(first, first + usersAtOnce);
    const applicationUserSubs = some.map(applicationUserSubOf);
    const registrations = await subs.registrationsOf({ applicationId, applicationUserSubs });
    const userSubs = [...new Set([...registrations.values()].map(({ userSub }) => userSub))];
    const current = userSubs.length === 0 ? new Map() : await users.registrationsOf(userSubs);
    for (const standIn of some) {
      const registration = registrations.get(applicationUserSubOf(standIn));
      if (registration !== undefined && current.get(registration.userSub) === registration.registrationId)
        known.add(standIn);
    }
  }
  return known;
};

/** An entry in which only these users are named. */
const naming = (
  { at, what, from, to, transaction }: HeldEntry,
  named: ReadonlySet<Address>,
): HistoryEntry => {
  const shown = (party: Party | undefined): Party | undefined =>
    party?.kind === 'user' && !named.has(party.standIn) ? { kind: 'somebody' } : party;
  return { at, what, from: shown(from), to: shown(to), transaction };
};

/**
 * What happened to a token, for the application that issued it. It names users as the application knows them, and only
 * those who are registered.
 */
export const tokenHistory = async (dependencies: TokenHistoryDependencies, nft: Nft): Promise<History> => {
  const { entries, knownFrom } = await readHistory(dependencies, nft);
  const named = await registered(dependencies, nft.applicationId, standInsIn(entries));
  return { knownFrom, entries: entries.map((entry) => naming(entry, named)) };
};

/**
 * A user's own part of a token's history: from when it came to the user until it left the user, each time. No other user
 * is named.
 * @throws NftNotFoundError if it never was the user's, as for a token that does not exist.
 */
export const ownHistory = async (
  dependencies: HistoryDependencies,
  {
    nft,
    standIn,
  }: {
    readonly nft: Nft;
    /** The user's stand-in in the application's tokens. */
    readonly standIn: Address;
  },
): Promise<History> => {
  const { entries, knownFrom } = await readHistory(dependencies, nft);
  const own = entries.filter(({ before, after }) => before === standIn || after === standIn);
  const [first] = own;
  if (first === undefined && nft.reservedFor !== standIn) {
    throw new NftNotFoundError({ address: nft.contract, tokenId: nft.tokenId });
  }
  const named = new Set([standIn]);
  return {
    knownFrom: knownFrom === undefined || first === undefined ? undefined : latest(knownFrom, first.at),
    entries: own.map((entry) => naming(entry, named)),
  };
};
