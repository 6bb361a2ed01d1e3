/** What the transaction log knows of a token. */

import type { Hash } from '../../chain/hex.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { Contract } from '../collections/contract.ts';
import type { PartChange } from '../collections/part-change.ts';
import type { Changes, RecordedChange } from '../ports/changes.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { unminted } from '../reservations/stand-in.ts';
import { changeFields } from '../tokens/gone.ts';
import type { Nft } from '../tokens/nft.ts';
import {
  type Entry,
  firstSignedAt,
  isKnownEntry,
  type LoggedEntry,
  lastAttempt,
  mintedTokens,
} from '../transactions/entry.ts';
import { type ByKind, byKind, type MintingKind, type PurposeOf } from '../transactions/purpose.ts';

export interface WorksDependencies {
  readonly changes: Pick<Changes, 'ofToken'>;
  readonly transactionLog: Pick<TransactionLog, 'find'>;
}

/** Something that a transaction does to a token. Other entries may have taken it over, one after the other. */
export interface Work {
  readonly purpose: Entry['purpose'];
  readonly status: PartChange['status'];
  readonly hash: Hash;
  /** When its first entry was signed, in milliseconds since the epoch. */
  readonly signedAt: number;
  /** When it was decided, in milliseconds since the epoch. Until then as `signedAt`. */
  readonly endedAt: number;
}

const entriesAtOnce = 10;

type Key = Pick<RecordedChange, 'signer' | 'nonce'>;

const nameOf = ({ signer, nonce }: Key): string => `${signer} ${nonce}`;

/** Finds entries, and those that they have taken over. */
const findAll = async (
  { transactionLog }: Pick<WorksDependencies, 'transactionLog'>,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, LoggedEntry>> => {
  const found = new Map<string, LoggedEntry>();
  const asked = new Set<string>();
  for (let wanted = keys; wanted.length > 0; ) {
    const unasked = new Map(
      wanted.filter((key) => !asked.has(nameOf(key))).map((key) => [nameOf(key), key] as const),
    );
    for (const name of unasked.keys()) asked.add(name);
    const read = await inParallel([...unasked.values()], {
      atOnce: entriesAtOnce,
      run: (key) => transactionLog.find(key),
    });
    const entries = read.filter((entry) => entry !== undefined);
    for (const entry of entries) found.set(nameOf(entry), entry);
    wanted = entries.flatMap(({ signer, supersedes }) =>
      supersedes === undefined ? [] : [{ signer, nonce: supersedes }],
    );
  }
  return found;
};

/**
 * Whether a transaction of each kind is about the token of its contract that has this id. Only then the token's history
 * tells of it.
 */
const isAboutToken = (tokenId: string): ByKind<boolean> => {
  const isAboutNone = () => false;
  const isMinted = (purpose: PurposeOf<MintingKind>) =>
    mintedTokens(purpose).some((minted) => minted.tokenId === tokenId);
  return {
    deploy: isAboutNone,
    mint: isMinted,
    claim: isMinted,
    'update-metadata': ({ from, to }) => Number(from) <= Number(tokenId) && Number(to) >= Number(tokenId),
    'update-contract-metadata': isAboutNone,
    'set-royalty': isAboutNone,
    revoke: (purpose) => purpose.tokenId === tokenId,
    'set-base': isAboutNone,
    noop: isAboutNone,
  };
};

/**
 * Whether the entry is about this token. Only then it is told: after a loss of data, another entry may have the nonce
 * that the token names.
 */
const isAbout = ({ purpose }: Entry, { contract, tokenId }: Pick<Nft, 'contract' | 'tokenId'>): boolean =>
  'contract' in purpose && purpose.contract === contract && byKind(isAboutToken(tokenId), purpose);

/** Nothing took over the work of a superseded entry here: newer changes have replaced all of it. */
const statusOf = ({ status }: Entry): PartChange['status'] => (status === 'superseded' ? 'failed' : status);

/**
 * Everything that transactions did to a token, or are to do, oldest first. `completeFrom`: older works may be missing.
 * The index of the log may lack entries of the last second, so those that the token itself names are read in any case.
 */
export const worksOf = async (
  dependencies: WorksDependencies,
  { nft, contract }: { readonly nft: Nft; readonly contract: Pick<Contract, 'signer'> },
): Promise<{ readonly works: readonly Work[]; readonly completeFrom: number | undefined }> => {
  const { signer } = contract;
  const { changes, isMore } = await dependencies.changes.ofToken(nft);
  const own = [nft.nonce, ...changeFields.map((field) => nft[field]?.nonce)].flatMap((nonce) =>
    nonce === undefined || nonce === unminted.nonce ? [] : [{ signer, nonce }],
  );
  const found = await findAll(dependencies, [...changes, ...own]);
  const takenOver = new Set(
    [...found.values()].flatMap(({ supersedes, ...entry }) =>
      supersedes === undefined ? [] : [nameOf({ signer: entry.signer, nonce: supersedes })],
    ),
  );
  const signedAtOf = (entry: LoggedEntry): number => {
    const before =
      entry.supersedes === undefined
        ? undefined
        : found.get(nameOf({ signer: entry.signer, nonce: entry.supersedes }));
    return before === undefined ? firstSignedAt(entry) : signedAtOf(before);
  };
  const works = [...found.values()]
    .filter(isKnownEntry)
    .filter((entry) => !takenOver.has(nameOf(entry)) && isAbout(entry, nft))
    .map((entry): Work => {
      const signedAt = signedAtOf(entry);
      return {
        purpose: entry.purpose,
        status: statusOf(entry),
        hash: entry.minedHash ?? lastAttempt(entry).hash,
        signedAt,
        endedAt: Math.max(signedAt, entry.decidedAt ?? signedAt),
      };
    });
  return {
    works: works.toSorted((one, other) => one.signedAt - other.signedAt),
    completeFrom: isMore ? changes.at(-1)?.signedAt : undefined,
  };
};
