import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { BroadcastOutcome, Chain } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import { currentAttempt, type LoggedEntry } from '../transactions/entry.ts';
import type { TransactionSettings } from '../transactions/settings.ts';
import { type Pass, raiseOnce, type View } from './pass-state.ts';

export interface BroadcastEntryDependencies {
  readonly chain: Pick<Chain, 'broadcast'>;
  readonly events: MetricEvents;
  readonly logger: Logger;
}

export interface BroadcastMissingDependencies {
  readonly chain: Pick<Chain, 'broadcast'>;
  readonly events: MetricEvents;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly settings: Pick<TransactionSettings, 'inFlightCap'>;
}

/**
 * How many transactions are sent in parallel: enough that the round trip to a distant endpoint does not slow down
 * sending, and few enough that transactions arrive nearly in the order of their nonces.
 */
const sendsAtOnce = 8;

/** After this many sends that no endpoint answered, the remaining entries are left to the next round. */
const silencesAtMost = 16;

/**
 * For each outcome of a broadcast in which a node refuses the transaction: the event that is raised for operators. A
 * refusal is not final: the entry stays pending.
 */
const refusals: Partial<Record<BroadcastOutcome, 'FeesRefused' | 'FundsShort' | 'TransactionRefused'>> = {
  underpriced: nftEvents.feesRefused,
  'fee-below-base': nftEvents.feesRefused,
  'insufficient-funds': nftEvents.fundsShort,
  rejected: nftEvents.transactionRefused,
};

/**
 * The entries to send: those that are not yet in the pool of the queried endpoint, lowest nonce first. The list stops
 * at the in-flight cap or at the first nonce without an entry.
 */
export const toBroadcast = (
  { entries: log }: Pass<object>,
  { state, counts }: View,
  cap: number,
): LoggedEntry[] => {
  const entries: LoggedEntry[] = [];
  const end = Math.min(state.nextNonce, counts.latest + cap);
  for (let nonce = counts.latest; nonce < end; nonce += 1) {
    const entry = log.get(nonce);
    if (entry === undefined) break;
    if (nonce >= counts.pending) entries.push(entry);
  }
  return entries;
};

export const broadcastEntry = async (
  pass: Pass<BroadcastEntryDependencies>,
  entry: LoggedEntry,
): Promise<BroadcastOutcome> => {
  const { chain, events, logger, id: signer } = pass;
  const { hash, raw } = currentAttempt(entry);
  const { outcome, detail } = await chain.broadcast(raw);
  const fields = { signer, nonce: entry.nonce, hash, outcome, detail };
  if (outcome === 'accepted' && entry.status === 'confirmed') {
    events.raise(nftEvents.confirmedVanished, fields);
  }
  const refusal = refusals[outcome];
  if (refusal !== undefined) raiseOnce(pass, refusal, fields);
  logger.debug('Sent', fields);
  return outcome;
};

export const broadcastMissing = async (
  pass: Pass<BroadcastMissingDependencies>,
  { view, deadline }: { readonly view: View; readonly deadline: number },
): Promise<void> => {
  const queue = toBroadcast(pass, view, pass.settings.inFlightCap).values();
  let silences = 0;
  let isFull = false;
  const work = async (): Promise<void> => {
    for (const entry of queue) {
      const outcome = await broadcastEntry(pass, entry);
      if (outcome === 'unknown') silences += 1;
      isFull ||= outcome === 'pool-full';
      if (isFull || silences >= silencesAtMost || pass.clock() >= deadline) return;
    }
  };
  await Promise.all(Array.from({ length: sendsAtOnce }, work));
};
