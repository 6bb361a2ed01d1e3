import { nftEvents } from '../ports/events.ts';
import { callOf, currentAttempt, type Entry, lastAttempt } from '../transactions/entry.ts';
import { currentOffer } from '../transactions/fees.ts';
import { fillOwnGap } from '../transactions/gaps.ts';
import { takeNonce } from '../transactions/nonce.ts';
import { signEntry } from '../transactions/sign.ts';
import type { Transacting } from '../transactions/transacting.ts';
import type { Watch } from './pass-state.ts';

/** Passes in which no endpoint knew a receipt before an entry is given up. */
const passesAtLeast = 3;

/** Logs the same mint or deployment at a new nonce and hands it what the entry was to make. */
const supersede = async (deps: Transacting, entry: Entry): Promise<void> => {
  const offer = await currentOffer(deps.chain, deps.settings.feeCeiling);
  const { nonce } = await takeNonce(deps, entry.signer);
  const gap = { signer: entry.signer, nonce, offer };
  try {
    const attempt = currentAttempt(entry);
    const draft = { purpose: entry.purpose, ...callOf(attempt), cancels: attempt.cancels };
    const signed = await signEntry(deps, { signer: entry.signer, nonce, draft, offer });
    const successor: Entry = { ...signed, supersedes: entry.nonce };
    if (await deps.log.supersede({ entry, successor })) {
      const { hash } = lastAttempt(successor);
      deps.events.raise(nftEvents.entrySuperseded, {
        signer: entry.signer,
        nonce: entry.nonce,
        by: nonce,
        hash,
      });
    } else {
      await fillOwnGap(deps, gap);
    }
  } catch (error) {
    // The answer may be lost and the successor logged: then filling finds the nonce used.
    await fillOwnGap(deps, gap);
    throw error;
  }
};

/**
 * Notes entries whose nonce another transaction used up, once a pass, and after three passes makes them again
 * at a new nonce. An entry that makes nothing just ends.
 */
export const supersedeMissing = async (
  deps: Transacting,
  watch: Watch,
  absent: readonly Entry[],
): Promise<void> => {
  for (const entry of absent) {
    if (watch.missing.has(entry.nonce)) continue;
    watch.missing.add(entry.nonce);
    watch.entries.delete(entry.nonce);
    if (entry.missingPasses + 1 < passesAtLeast) {
      await deps.log.noteMissing({ entry });
    } else if (entry.purpose.kind === 'fill') {
      await deps.log.drop(entry);
    } else {
      await supersede(deps, entry);
    }
  }
};
