import type { BroadcastOutcome } from '../ports/chain.ts';
import { nftEvents } from '../ports/events.ts';
import { currentAttempt, type Entry } from '../transactions/entry.ts';
import type { Transacting } from '../transactions/transacting.ts';
import type { View, Watch } from './pass-state.ts';

/** Enough to keep a distant endpoint busy, few enough to arrive nearly in order. */
const sendsAtOnce = 8;

/** Sends that may stay unanswered in one round before it is left to the next. */
const silencesAtMost = 16;

/** What a node refuses for now. It decides nothing: the entry waits and somebody is told. */
const refusals: Partial<Record<BroadcastOutcome, 'FeesRefused' | 'FundsShort' | 'TransactionRefused'>> = {
  underpriced: nftEvents.feesRefused,
  'fee-below-base': nftEvents.feesRefused,
  'insufficient-funds': nftEvents.fundsShort,
  rejected: nftEvents.transactionRefused,
};

/**
 * The entries that the chain does not have, lowest first: from the pool's gapless run up to the cap, and never
 * above a nonce that has no entry.
 */
export const toSend = (watch: Watch, { state, counts }: View, cap: number): Entry[] => {
  const entries: Entry[] = [];
  const end = Math.min(state.nextNonce, counts.latest + cap);
  for (let nonce = counts.latest; nonce < end; nonce += 1) {
    const entry = watch.entries.get(nonce);
    if (entry === undefined) break;
    if (nonce >= counts.pending) entries.push(entry);
  }
  return entries;
};

/** Sends an entry's current transaction and tells whoever has to know; answers whether a node has it now. */
export const send = async (
  { chain, events, logger }: Pick<Transacting, 'chain' | 'events' | 'logger'>,
  watch: Watch,
  entry: Entry,
): Promise<BroadcastOutcome> => {
  const { hash, raw } = currentAttempt(entry);
  const { outcome, detail } = await chain.broadcast(raw);
  const fields = { signer: watch.id, nonce: entry.nonce, hash, outcome, detail };
  if (outcome === 'accepted' && entry.status === 'confirmed') {
    events.raise(nftEvents.confirmedVanished, fields);
  }
  const refusal = refusals[outcome];
  if (refusal !== undefined && !watch.raised.has(refusal)) {
    watch.raised.add(refusal);
    events.raise(refusal, fields);
  }
  logger.debug('Sent', fields);
  return outcome;
};

/** Sends everything that the chain does not have, as far as the cap and the round's time allow. */
export const sendMissing = async (
  deps: Pick<Transacting, 'chain' | 'events' | 'logger' | 'clock' | 'settings'>,
  watch: Watch,
  { view, deadline }: { readonly view: View; readonly deadline: number },
): Promise<void> => {
  const queue = toSend(watch, view, deps.settings.inFlightCap).values();
  let silences = 0;
  let isFull = false;
  const work = async (): Promise<void> => {
    for (const entry of queue) {
      const outcome = await send(deps, watch, entry);
      if (outcome === 'unknown') silences += 1;
      isFull ||= outcome === 'pool-full';
      if (isFull || silences >= silencesAtMost || deps.clock() >= deadline) return;
    }
  };
  await Promise.all(Array.from({ length: sendsAtOnce }, work));
};
