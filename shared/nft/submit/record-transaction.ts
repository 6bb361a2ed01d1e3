import { IdempotencyKeyInUseError, LogBusyError } from '../errors.ts';
import type { Hash } from '../ports/chain.ts';
import type { Claim, Claims, ResourceReference } from '../ports/claims.ts';
import type { SignerState } from '../ports/signers.ts';
import type { Recording, RecordOutcome } from '../ports/transaction-log.ts';
import type { Entry, Resource, SignerId } from '../transactions/entry.ts';
import { hashesOf, lastAttempt } from '../transactions/entry.ts';
import type { Offer } from '../transactions/fees.ts';
import { fillOwnGap } from '../transactions/gaps.ts';
import { takeNonce } from '../transactions/nonce.ts';
import { type Draft, signEntry } from '../transactions/sign.ts';
import type { Transacting } from '../transactions/transacting.ts';

/** A transaction and what it makes. */
export interface Plan {
  readonly draft: Draft;
  readonly resource: (made: { readonly nonce: number; readonly transactionHash: Hash }) => Resource;
}

export type Logged =
  | {
      readonly outcome: 'logged';
      readonly entry: Entry;
      readonly resource: Resource;
      readonly state: SignerState;
    }
  /** The key had a result already, which is the answer. */
  | { readonly outcome: 'replayed'; readonly result: ResourceReference };

export interface Logging extends Transacting {
  readonly claims: Claims;
}

/** Nonces that one request takes at most: each one that it cannot use has to be filled. */
const noncesAtMost = 3;

/** What became of a recording whose answer was lost; `undefined` when it is not there (yet). */
const readBack = async (
  { log, claims }: Pick<Logging, 'log' | 'claims'>,
  { entry, claim }: Recording,
): Promise<RecordOutcome | undefined> => {
  const [found, held] = await Promise.all([
    log.find(entry),
    claim === undefined ? undefined : claims.find(claim.scope),
  ]);
  if (found !== undefined && hashesOf(found).includes(lastAttempt(entry).hash))
    return { outcome: 'recorded' };
  if (held?.state === 'done') return { outcome: 'key-done', result: held.result };
  if (claim !== undefined && held?.owner !== claim.owner) return { outcome: 'key-lost' };
  return found === undefined ? undefined : { outcome: 'nonce-used' };
};

/** Makes the same write until its outcome is known or the handler's time is over. */
export const recordSurely = async (
  deps: Pick<Logging, 'log' | 'claims' | 'clock' | 'logger'>,
  recording: Recording,
  deadline: number,
): Promise<RecordOutcome> => {
  for (;;) {
    try {
      const result = await deps.log.record(recording);
      if (result.outcome !== 'conflict' || deps.clock() >= deadline) return result;
    } catch (error) {
      const result = await readBack(deps, recording);
      if (result !== undefined) return result;
      if (deps.clock() >= deadline) throw error;
      deps.logger.warn('The log did not answer; the same write goes again', {
        nonce: recording.entry.nonce,
        error,
      });
    }
  }
};

/**
 * Takes a nonce, signs for it and logs what was signed with what it makes and the key's result, all in one
 * write. A nonce that this request took and could not use is filled before it ends.
 *
 * @throws IdempotencyKeyInUseError when another request took the key over.
 */
export const logTransaction = async (
  deps: Logging,
  {
    signer,
    plan,
    offer,
    claim,
    deadline,
  }: {
    readonly signer: SignerId;
    readonly plan: Plan;
    readonly offer: Offer;
    readonly claim: Claim | undefined;
    readonly deadline: number;
  },
): Promise<Logged> => {
  for (let taken = 1; ; taken += 1) {
    const { nonce, state } = await takeNonce(deps, signer);
    const abandon = () => fillOwnGap(deps, { signer, nonce, offer });
    try {
      const entry = await signEntry(deps, { signer, nonce, draft: plan.draft, offer });
      const resource = plan.resource({ nonce, transactionHash: lastAttempt(entry).hash });
      const recording = { entry, resource, ...(claim === undefined ? {} : { claim }) };
      const result = await recordSurely(deps, recording, deadline);
      switch (result.outcome) {
        case 'recorded':
          return { outcome: 'logged', entry, resource, state };
        case 'key-done':
          await abandon();
          return { outcome: 'replayed', result: result.result };
        case 'key-lost':
          throw new IdempotencyKeyInUseError();
        case 'conflict':
          throw new LogBusyError({ message: `The log was busy for all of the request's time` });
        case 'nonce-used':
          if (taken >= noncesAtMost || deps.clock() >= deadline) {
            throw new LogBusyError({ message: `Nonce ${nonce} was used by another, the ${taken}. time` });
          }
      }
    } catch (error) {
      await abandon();
      throw error;
    }
  }
};
