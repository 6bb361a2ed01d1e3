import type { TransactionLog } from '../ports/transaction-log.ts';
import type { LoggedEntry } from './entry.ts';

/** The entry that took over the work of a superseded one. It has a nonce below the signer's `nextNonce`. */
export const successorOf = async (
  { transactionLog }: { readonly transactionLog: Pick<TransactionLog, 'range'> },
  { signer, nonce }: LoggedEntry,
  nextNonce: number,
): Promise<LoggedEntry | undefined> => {
  const behind = await transactionLog.range({ signer, from: nonce + 1, to: nextNonce });
  return behind.find(({ supersedes }) => supersedes === nonce);
};
