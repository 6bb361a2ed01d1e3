import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { LoggedEntry } from './entry.ts';

/** The nonces as ranges that include `from` and not `to`, lowest first. */
export const rangesOf = (
  nonces: Iterable<number>,
): readonly { readonly from: number; readonly to: number }[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const nonce of [...nonces].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.to === nonce) last.to = nonce + 1;
    else ranges.push({ from: nonce, to: nonce + 1 });
  }
  return ranges;
};

const reopenedBelow = ({
  reopened,
  finalizedCount,
}: Pick<SignerState, 'reopened' | 'finalizedCount'>): readonly number[] =>
  [...reopened].filter((nonce) => nonce < finalizedCount).sort((a, b) => a - b);

/** The nonces that need work, lowest first. */
export const openNoncesOf = (state: SignerState): readonly number[] => {
  const nonces = [...reopenedBelow(state)];
  for (let nonce = state.finalizedCount; nonce < state.nextNonce; nonce += 1) nonces.push(nonce);
  return nonces;
};

/** The entries that need work, lowest nonce first. @param to only entries with lower nonces */
export const openEntries = async (
  { transactionLog }: { readonly transactionLog: Pick<TransactionLog, 'range'> },
  state: SignerState,
  to = state.nextNonce,
): Promise<LoggedEntry[]> => {
  const { id: signer, finalizedCount: from, nextNonce } = state;
  const found: LoggedEntry[] = [];
  for (const range of [...rangesOf(reopenedBelow(state)), { from, to: Math.min(to, nextNonce) }])
    found.push(...(await transactionLog.range({ signer, ...range })));
  return found;
};

/** How many nonces need work. */
export const openCount = (state: SignerState): number =>
  state.nextNonce - state.finalizedCount + reopenedBelow(state).length;
