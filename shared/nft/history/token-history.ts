import type { Address } from '../../chain/hex.ts';
import { ServiceUnavailableError } from '../../platform/errors.ts';
import type { Contract } from '../collections/contract.ts';
import { ContractNotFoundError, NftNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { HistoryLines } from '../ports/history-lines.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Nft } from '../tokens/nft.ts';
import { assemble, type HeldEntry } from './assemble.ts';
import type { History, HistoryEntry, Party } from './history-entry.ts';
import { type RegisteredDependencies, registeredOf } from './registered.ts';
import { type WorksDependencies, worksOf } from './works.ts';

export interface HistoryDependencies extends WorksDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
  readonly lines: Pick<HistoryLines, 'ofToken'>;
}

export type TokenHistoryDependencies = HistoryDependencies & RegisteredDependencies;

/** How many entries of a token's history are told, the newest ones. */
export const historyEntriesAtMost = 1_000;

const latest = (...times: readonly (number | undefined)[]): number =>
  Math.max(...times.filter((time) => time !== undefined));

const triesAtMost = 5;

/**
 * What is stored of a token's history, and the token as it was meanwhile. A token that has changed between the reads is
 * read again: its user could be another one by then, who is not to be taken for the user before.
 */
const readTold = async (
  dependencies: HistoryDependencies,
  { nft: known, contract }: { readonly nft: Nft; readonly contract: Pick<Contract, 'signer'> },
) => {
  let nft = known;
  for (let tried = 1; tried <= triesAtMost; tried += 1) {
    const [told, { works, completeFrom }] = await Promise.all([
      dependencies.lines.ofToken({ ...nft, limit: historyEntriesAtMost }),
      worksOf(dependencies, { nft, contract }),
    ]);
    const now = await dependencies.nfts.find(nft);
    if (now === undefined || now.version === nft.version) return { nft, ...told, works, completeFrom };
    nft = now;
  }
  throw new ServiceUnavailableError({ message: `Token ${known.tokenId} changed while its history was read` });
};

const readHistory = async (
  dependencies: HistoryDependencies,
  known: Nft,
): Promise<{
  readonly nft: Nft;
  readonly entries: readonly HeldEntry[];
  readonly knownFrom: number | undefined;
}> => {
  const { applicationId, contract: address } = known;
  const contract = await dependencies.contracts.find({ applicationId, address });
  if (contract === undefined) throw new ContractNotFoundError({ address });
  const { nft, isMore, completeFrom, ...told } = await readTold(dependencies, { nft: known, contract });
  const { entries: all, knownFrom } = assemble(nft, told);
  const entries = all.slice(-historyEntriesAtMost);
  const isCut = isMore || entries.length < all.length;
  return {
    nft,
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

/** An entry in which only these users are named. */
const naming = (
  { at, what, from, to, by, transaction }: HeldEntry,
  named: Pick<ReadonlySet<Address>, 'has'>,
): HistoryEntry => {
  const shown = (party: Party | undefined): Party | undefined =>
    party?.kind === 'user' && !named.has(party.standIn) ? { kind: 'somebody' } : party;
  return { at, what, from: shown(from), to: shown(to), by, transaction };
};

/**
 * What happened to a token, for the application that issued it. It names users as the application knows them, and only
 * those who are registered.
 */
export const tokenHistory = async (dependencies: TokenHistoryDependencies, nft: Nft): Promise<History> => {
  const { entries, knownFrom } = await readHistory(dependencies, nft);
  const named = await registeredOf(dependencies, {
    applicationId: nft.applicationId,
    standIns: standInsIn(entries),
  });
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
  const { nft: now, entries, knownFrom } = await readHistory(dependencies, nft);
  const own = entries.filter(({ before, after }) => before === standIn || after === standIn);
  const [first] = own;
  if (first === undefined && now.reservedFor !== standIn) {
    throw new NftNotFoundError({ address: nft.contract, tokenId: nft.tokenId });
  }
  const named = new Set([standIn]);
  return {
    knownFrom: knownFrom === undefined || first === undefined ? undefined : latest(knownFrom, first.at),
    entries: own.map((entry) => naming(entry, named)),
  };
};
