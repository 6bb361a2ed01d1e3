import { createHash } from 'node:crypto';
import { newCache } from '../../platform/cache.ts';
import { ServiceUnavailableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { isOutage } from '../../platform/outage.ts';
import type { Clock } from '../../platform/time/clock.ts';
import {
  SessionEndedError,
  SessionRequiredError,
  TooManySessionChangesError,
  TooManyStreamsError,
} from '../errors.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { type HoldOutcome, type HoldRequest, holdSlot } from './hold-slot.ts';
import { type EndOutcome, endSlot, noSessions, type Slot, type ViewerSessions } from './viewer-sessions.ts';

export interface StreamSessionsDependencies {
  readonly store: SessionStore;
  readonly clock: Clock;
  /** Cannot be guessed. */
  readonly newContinuation: () => string;
  readonly logger: Pick<Logger, 'warn'>;
  /** The longest duration of a lease. */
  readonly sessionSeconds: number;
}

export interface HeldSession {
  /** Every signature must expire at this time at the latest; epoch milliseconds. */
  readonly endsAt: number;
  readonly lease: { readonly from: number; readonly endsAt: number };
  /**
   * The continuation that the page presents with its next call. Absent if the sessions cannot be read and the page
   * presented none.
   */
  readonly continuation?: string | undefined;
}

export interface SessionRequest
  extends Pick<HoldRequest, 'eventId' | 'address' | 'takeOver' | 'continuation' | 'limits'> {
  readonly userSub: string;
  readonly sessionId: string | undefined;
  /** When the viewer's access ends, in epoch milliseconds. @default no end */
  readonly accessEndsAt?: number | undefined;
  readonly isReadOnly: boolean;
}

export interface StreamSessions {
  /**
   * @throws SessionRequiredError, SessionEndedError, TooManyStreamsError, TooManySessionChangesError;
   * ServiceUnavailableError if the store is unavailable and this instance knows no lease of the session.
   */
  hold(request: SessionRequest): Promise<HeldSession>;
  /** Does nothing for a session without a lease. @throws TooManySessionChangesError, ServiceUnavailableError */
  end(request: {
    readonly userSub: string;
    readonly sessionId: string;
    readonly eventId: string;
  }): Promise<void>;
}

/**
 * In each round, one of the concurrent calls succeeds; the others read the state again and retry. Only a very large
 * number of concurrent calls would need this many rounds.
 */
const triesAtMost = 30;

const leasesInMemory = 10_000;

/** Addresses are only counted, so a short hash is stored. The same address has a different hash for each viewer. */
const hashed = (userSub: string, address: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userSub, address]))
    .digest('base64url')
    .slice(0, 8);

/**
 * Limits how many paid streams a viewer plays at the same time. One item holds all leases of a viewer, because several
 * applications may count the same stream.
 */
export const createStreamSessions = ({
  store,
  clock,
  newContinuation,
  logger,
  sessionSeconds,
}: StreamSessionsDependencies): StreamSessions => {
  const leases = newCache<Slot>({
    capacity: leasesInMemory,
    lifetimeMilliseconds: sessionSeconds * 1_000,
    clock,
  });
  const keyOf = (userSub: string, sessionId: string, eventId: string): string =>
    JSON.stringify([userSub, sessionId, eventId]);

  const heldOf = (
    slot: Slot,
    { endsAt, continuation }: { readonly endsAt: number; readonly continuation: string | undefined },
  ): HeldSession => ({ endsAt, lease: { from: slot.leasedAt, endsAt: slot.endsAt }, continuation });

  const change = async <Outcome extends HoldOutcome | EndOutcome>(
    userSub: string,
    {
      decide,
      isReadOnly,
    }: { readonly decide: (sessions: ViewerSessions) => Outcome; readonly isReadOnly: boolean },
  ): Promise<Outcome> => {
    for (let tried = 0; tried < triesAtMost; tried += 1) {
      const stored = await store.find(userSub);
      const outcome = decide(stored?.sessions ?? noSessions(clock()));
      if (!('sessions' in outcome) || isReadOnly) return outcome;
      const { sessions } = outcome;
      const isSaved = await store.save(userSub, { before: stored?.version, sessions });
      // Refusals are only counted for the operator, so a count may be lost to a concurrent call.
      if (isSaved || outcome.outcome === 'renewed-elsewhere') return outcome;
    }
    throw new ServiceUnavailableError({
      message: 'Other requests changed the viewer’s sessions at every try',
    });
  };

  /** During an outage of the store, a session continues until the end of the lease that this instance remembers. */
  const heldWithoutStore = (
    lease: Slot | undefined,
    {
      accessEndsAt,
      continuation,
      cause,
    }: {
      readonly accessEndsAt: number;
      readonly continuation: string | undefined;
      readonly cause: unknown;
    },
  ): HeldSession => {
    logger.warn('Sessions cannot be read or saved', { error: cause });
    if (lease === undefined || lease.endsAt <= clock()) {
      throw new ServiceUnavailableError({ message: 'Sessions cannot be read or saved', cause });
    }
    return heldOf(lease, { endsAt: Math.min(lease.endsAt, accessEndsAt), continuation });
  };

  return {
    hold: async ({
      userSub,
      sessionId,
      address,
      accessEndsAt = Number.POSITIVE_INFINITY,
      isReadOnly,
      ...request
    }) => {
      if (sessionId === undefined) throw new SessionRequiredError();
      const key = keyOf(userSub, sessionId, request.eventId);
      const decide = (sessions: ViewerSessions): HoldOutcome => {
        const now = clock();
        const endsAt = Math.min(now + sessionSeconds * 1_000, accessEndsAt);
        return holdSlot(sessions, {
          ...request,
          address: hashed(userSub, address),
          sessionId,
          newContinuation: newContinuation(),
          now,
          endsAt,
        });
      };
      const held = await change(userSub, { decide, isReadOnly }).catch((error: unknown) => {
        if (isOutage(error)) return { outcome: 'out-of-reach', error } as const;
        throw error;
      });
      switch (held.outcome) {
        case 'kept':
        case 'changed': {
          const { slot } = held;
          if (!isReadOnly) leases.set(key, slot, slot.endsAt - clock());
          return heldOf(slot, held);
        }
        case 'out-of-reach': {
          const { continuation } = request;
          return heldWithoutStore(leases.get(key), { accessEndsAt, continuation, cause: held.error });
        }
        case 'taken-over':
          leases.delete(key);
          throw new SessionEndedError({ message: 'Another session took over this session' });
        case 'renewed-elsewhere':
          throw new SessionEndedError({ message: 'Another device renewed this session' });
        case 'full':
          throw new TooManyStreamsError({ slots: held.slots });
        case 'changes-used':
          throw new TooManySessionChangesError({ retryAt: held.retryAt, now: clock() });
      }
    },

    end: async ({ userSub, sessionId, eventId }) => {
      const decide = (sessions: ViewerSessions): EndOutcome =>
        endSlot(sessions, { sessionId, eventId, now: clock() });
      const ended = await change(userSub, { decide, isReadOnly: false });
      leases.delete(keyOf(userSub, sessionId, eventId));
      if (ended.outcome === 'changes-used') {
        throw new TooManySessionChangesError({ retryAt: ended.retryAt, now: clock() });
      }
    },
  };
};
