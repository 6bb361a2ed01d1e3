import { formatGwei } from 'viem/utils';
import type { Clock } from '../../platform/time/clock.ts';
import { transferGasLimit } from '../collections/collection.ts';
import type { BroadcastResult, Chain, Signer } from '../ports/chain.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import {
  addressOfSigner,
  currentAttempt,
  hashesOf,
  isDecided,
  type LoggedEntry,
  lastAttempt,
  mintedTokens,
  type SignerId,
} from '../transactions/entry.ts';
import { ceilingFor } from '../transactions/fees.ts';
import { mintsTokens } from '../transactions/purpose.ts';
import type { FeeLimits } from '../transactions/settings.ts';
import { appendReplacement, currentCall } from './replace.ts';

export interface OperatorActionDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'whereabouts' | 'fees' | 'broadcast' | 'rotateEndpoint'>;
  readonly signer: Signer;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'appendAttempt'>;
  readonly clock: Clock;
  readonly settings: FeeLimits;
}

export type OperatorActionOutcome =
  | { readonly outcome: 'sent'; readonly entry: LoggedEntry; readonly broadcast: BroadcastResult }
  | { readonly outcome: 'refused'; readonly reason: string };

/** What identifies an entry of the transaction log. */
export interface EntryKey {
  readonly signer: SignerId;
  readonly nonce: number;
}

export interface Cancellation extends EntryKey {
  /** The highest fee, in wei per gas. @default the stage's ceiling */
  readonly feeCeiling?: bigint | undefined;
}

const refused = (reason: string): OperatorActionOutcome => ({ outcome: 'refused', reason });

const openEntry = async (
  { chain, transactionLog }: OperatorActionDependencies,
  { signer, nonce }: EntryKey,
): Promise<
  { readonly entry: LoggedEntry; readonly counts: { latest: number; pending: number } } | string
> => {
  const [entry, counts] = await Promise.all([
    transactionLog.find({ signer, nonce }),
    chain.transactionCounts(addressOfSigner(signer)),
  ]);
  if (entry === undefined) return `Nonce ${nonce} has no entry in the log.`;
  if (entry.status !== 'pending') return `Nonce ${nonce} is ${entry.status}.`;
  if (nonce < counts.latest) return `Nonce ${nonce} is mined and waits for finality.`;
  const whereabouts = await chain.whereabouts(hashesOf(entry));
  if (whereabouts.values().some((one) => one === 'mined')) {
    return `Nonce ${nonce} is mined and waits for finality.`;
  }
  return { entry, counts };
};

const send = async (
  dependencies: OperatorActionDependencies,
  entry: LoggedEntry,
  call: ReturnType<typeof currentCall>,
): Promise<OperatorActionOutcome> => {
  const replacement = await appendReplacement(dependencies, entry, call);
  switch (replacement.outcome) {
    case 'over-ceiling':
      return refused(
        `Nothing was sent: a replacement for the attempt at ${formatGwei(lastAttempt(entry).maxFeePerGas)} gwei per unit of gas would have to exceed the ceiling of ${formatGwei(ceilingFor(dependencies.settings, call.gas))} gwei.`,
      );
    case 'changed':
      return refused(`The waiter changed nonce ${entry.nonce} in the meantime; look at it again.`);
    case 'appended': {
      // Perhaps the preferred endpoint accepts transactions and passes none on. The waiter sends to that one, too.
      await dependencies.chain.rotateEndpoint();
      const broadcast = await dependencies.chain.broadcast(lastAttempt(replacement.entry).raw);
      return { outcome: 'sent', entry: replacement.entry, broadcast };
    }
  }
};

/**
 * Signs the signer's lowest unmined transaction again with higher fees, and sends it. The waiter does the same, but
 * only after a delay.
 */
export const bumpEntry = async (
  dependencies: OperatorActionDependencies,
  key: EntryKey,
): Promise<OperatorActionOutcome> => {
  const open = await openEntry(dependencies, key);
  if (typeof open === 'string') return refused(open);
  if (key.nonce !== open.counts.latest) {
    return refused(
      `Nonce ${key.nonce} has to wait for nonce ${open.counts.latest}, so higher fees would have no effect.`,
    );
  }
  return send(dependencies, open.entry, currentCall(open.entry));
};

/**
 * Adds to the entry an attempt that transfers nothing (a noop), to be mined instead of the entry's own call. The entry
 * stays pending until one of the two is mined and final. If the noop is mined, the entry fails as cancelled. If the
 * entry's own call is mined, the entry is confirmed or fails as usual. The noop is logged before it is sent, so if this
 * function is interrupted, the waiter sends the noop. Only two kinds of nonces can be cancelled: the next nonce to be
 * mined, and a nonce whose transaction is in a node's pool. The transaction of any other nonce has not been sent yet.
 */
export const cancelEntry = async (
  dependencies: OperatorActionDependencies,
  { feeCeiling = dependencies.settings.feeCeiling, ...key }: Cancellation,
): Promise<OperatorActionOutcome> => {
  const open = await openEntry(dependencies, key);
  if (typeof open === 'string') return refused(open);
  const { entry, counts } = open;
  if (entry.purpose.kind === 'noop')
    return refused(`Nonce ${key.nonce} is a noop transaction, so there is nothing to cancel.`);
  if (currentAttempt(entry).cancels === true) {
    return refused(`Nonce ${key.nonce} is being cancelled already; bump it if it is not mined.`);
  }
  if (key.nonce > counts.latest && key.nonce >= counts.pending) {
    return refused(`Nonce ${key.nonce} was not sent yet; it waits for nonce ${counts.pending}.`);
  }
  const to = addressOfSigner(key.signer);
  const withCeiling = { ...dependencies, settings: { ...dependencies.settings, feeCeiling } };
  return send(withCeiling, entry, { to, data: '0x', gas: transferGasLimit, cancels: true });
};

/**
 * How many tokens fail if this deployment is cancelled: the tokens of pending mints into its contract that have later
 * nonces than the deployment.
 */
export const mintsBehind = async (
  { transactionLog }: { readonly transactionLog: Pick<TransactionLog, 'range'> },
  { entry, nextNonce }: { readonly entry: LoggedEntry; readonly nextNonce: number },
): Promise<number> => {
  const { purpose, signer, nonce } = entry;
  if (purpose.kind !== 'deploy') return 0;
  const behind = await transactionLog.range({ signer, from: nonce + 1, to: nextNonce });
  return behind.reduce(
    (tokens, { purpose: later, status }) =>
      later.kind !== 'later' &&
      mintsTokens(later) &&
      later.contract === purpose.contract &&
      !isDecided({ status })
        ? tokens + mintedTokens(later).length
        : tokens,
    0,
  );
};
