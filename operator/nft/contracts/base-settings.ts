import { setTimeout } from 'node:timers/promises';
import type { Address } from '../../../shared/chain/hex.ts';
import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import { type BaseChange, type SetBaseDependencies, setBase } from '../../../shared/nft/submit/set-base.ts';
import { isDecided, type LoggedEntry } from '../../../shared/nft/transactions/entry.ts';
import { successorOf } from '../../../shared/nft/transactions/successor.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';

/** The result of changing one collection's base address. */
export interface BaseSetting {
  readonly contract: Address;
  /**
   * The log entry of the transaction that changes the address, as last read; `undefined` if no transaction was sent.
   */
  readonly entry: LoggedEntry | undefined;
  readonly problem: string | undefined;
}

interface FollowDependencies {
  readonly transactionLog: Pick<TransactionLog, 'find' | 'range'>;
  readonly signers: Pick<Signers, 'find'>;
}

const setOne = async (dependencies: SetBaseDependencies, change: BaseChange): Promise<BaseSetting> => {
  const { contract } = change;
  try {
    return { contract, entry: await setBase(dependencies, change), problem: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { contract, entry: undefined, problem: error.message };
  }
};

/** Sends one transaction for each change. If one change is refused, the others are still sent. */
export const setBases = async (
  dependencies: SetBaseDependencies,
  {
    changes,
    onProgress,
  }: { readonly changes: readonly BaseChange[]; readonly onProgress: (sent: number) => void },
): Promise<BaseSetting[]> => {
  const settings: BaseSetting[] = [];
  for (const change of changes) {
    onProgress(settings.length);
    settings.push(await setOne(dependencies, change));
  }
  return settings;
};

/**
 * The entry with the change's outcome. If another transaction used the entry's nonce, the waiter has made a new entry.
 */
const decidedEntry = async (
  dependencies: FollowDependencies,
  { signer, nonce: first }: LoggedEntry,
  pollMilliseconds: number,
): Promise<LoggedEntry> => {
  for (let nonce = first; ; ) {
    const entry = await dependencies.transactionLog.find({ signer, nonce });
    if (entry === undefined || !isDecided(entry)) {
      await setTimeout(pollMilliseconds);
      continue;
    }
    if (entry.status !== 'superseded') return entry;
    const { nextNonce = 0 } = (await dependencies.signers.find(signer)) ?? {};
    const successor = await successorOf(dependencies, entry, nextNonce);
    if (successor === undefined) return entry;
    nonce = successor.nonce;
  }
};

const problems: Partial<Record<LoggedEntry['status'], string>> = {
  failed: 'it failed on the chain',
  superseded: 'another transaction used its nonce, and it was not sent again',
};

/** Waits until the outcome of every change is final. */
export const followToTheEnd = async (
  dependencies: FollowDependencies,
  settings: readonly BaseSetting[],
  {
    pollMilliseconds = 1_000,
    onProgress,
  }: { readonly pollMilliseconds?: number; readonly onProgress: (decided: number) => void },
): Promise<BaseSetting[]> => {
  const followed: BaseSetting[] = [];
  for (const setting of settings) {
    onProgress(followed.length);
    if (setting.entry === undefined) {
      followed.push(setting);
      continue;
    }
    const entry = await decidedEntry(dependencies, setting.entry, pollMilliseconds);
    followed.push({ ...setting, entry, problem: problems[entry.status] });
  }
  return followed;
};
