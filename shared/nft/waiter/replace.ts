import type { BroadcastOutcome } from '../ports/chain.ts';
import { nftEvents } from '../ports/events.ts';
import {
  type Attempt,
  callOf,
  currentAttempt,
  type Entry,
  hashesOf,
  lastAttempt,
  type SignedCall,
} from '../transactions/entry.ts';
import { replacementOffer } from '../transactions/fees.ts';
import { signAttempt } from '../transactions/sign.ts';
import type { Transacting } from '../transactions/transacting.ts';
import { send } from './broadcast.ts';
import type { View, Watch } from './pass-state.ts';

export interface Replacing extends Transacting {
  /** How long a transaction at the head of the queue is given before its fees are raised. */
  readonly replaceAfterMilliseconds: number;
}

/** Rounds after which the head of the queue is looked at: the very next block takes most. */
const patientRounds = 2;

/**
 * What a node says of a transaction that higher fees may help: it has it, or wants more. Whatever else keeps one
 * back, such as a signer without funds, would only be paid for with every step.
 */
const isForFees: ReadonlySet<BroadcastOutcome> = new Set([
  'accepted',
  'already-known',
  'underpriced',
  'fee-below-base',
]);

const raiseOnce = (deps: Replacing, watch: Watch, fields: { readonly nonce: number }): void => {
  if (watch.raised.has(nftEvents.feeCeilingReached)) return;
  watch.raised.add(nftEvents.feeCeilingReached);
  deps.events.raise(nftEvents.feeCeilingReached, { signer: watch.id, ...fields });
};

export type Replacement =
  | { readonly outcome: 'appended'; readonly entry: Entry }
  | { readonly outcome: 'over-ceiling' }
  /** Somebody else appended an attempt since the entry was read, or another nonce took its work over. */
  | { readonly outcome: 'changed' };

/** Signs a call with fees that replace the entry's newest attempt, and appends it. What is appended may be sent. */
export const appendReplacement = async (
  deps: Pick<Transacting, 'chain' | 'signer' | 'clock' | 'log' | 'settings'>,
  entry: Entry,
  call: SignedCall & Pick<Attempt, 'cancels'>,
): Promise<Replacement> => {
  const offer = replacementOffer(lastAttempt(entry), await deps.chain.fees(), deps.settings.feeCeiling);
  if (offer === undefined) return { outcome: 'over-ceiling' };
  const attempt = await signAttempt(deps, { from: entry.signer, nonce: entry.nonce, ...call, offer });
  if (!(await deps.log.appendAttempt({ entry, attempt }))) return { outcome: 'changed' };
  return { outcome: 'appended', entry: { ...entry, attempts: [...entry.attempts, attempt] } };
};

/** The same call once more, or its cancellation where it was cancelled. */
export const currentCall = (entry: Entry): SignedCall & Pick<Attempt, 'cancels'> => {
  const attempt = currentAttempt(entry);
  return { ...callOf(attempt), cancels: attempt.cancels };
};

/** Raises the fees of the same call, appends that to the entry, and only then sends it. */
const replace = async (deps: Replacing, watch: Watch, entry: Entry): Promise<void> => {
  const replacement = await appendReplacement(deps, entry, currentCall(entry));
  switch (replacement.outcome) {
    case 'over-ceiling':
      raiseOnce(deps, watch, { nonce: entry.nonce });
      return;
    case 'changed':
      watch.entries.delete(entry.nonce);
      return;
    case 'appended':
      watch.entries.set(entry.nonce, replacement.entry);
      await send(deps, watch, replacement.entry);
  }
};

/**
 * Looks after the head of the queue, the one transaction that everything waits for. Its time counts from when a
 * node was first known to have it, and anew from each attempt.
 */
export const tendHead = async (deps: Replacing, watch: Watch, { counts }: View): Promise<void> => {
  const entry = watch.entries.get(counts.latest);
  if (entry === undefined) {
    watch.head = undefined;
    return;
  }
  const rounds = watch.head?.nonce === entry.nonce ? watch.head.rounds + 1 : 1;
  watch.head = { nonce: entry.nonce, rounds };
  if (rounds <= patientRounds) return;

  const places = await deps.chain.places(hashesOf(entry));
  // Mined, then, and the count that was read before does not say so yet.
  if (places.values().some((place) => place === 'mined')) return;
  const isPooled = places.values().some((place) => place === 'pool');
  const isNewestPooled = places.get(currentAttempt(entry).hash) === 'pool';
  const outcome = isNewestPooled ? undefined : await send(deps, watch, entry);
  if (entry.acceptedAt === undefined) {
    if (isPooled || outcome === 'accepted' || outcome === 'already-known') {
      await deps.log.noteAccepted({ entry, at: deps.clock() });
      watch.entries.delete(entry.nonce);
    }
    return;
  }
  if (outcome !== undefined && !isForFees.has(outcome)) return;
  const since = Math.max(entry.acceptedAt, lastAttempt(entry).signedAt);
  if (deps.clock() - since >= deps.replaceAfterMilliseconds) await replace(deps, watch, entry);
};
