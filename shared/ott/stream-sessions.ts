import { createHash } from 'node:crypto';
import { newCache } from '../cache.ts';
import type { Clock } from '../clock.ts';
import { ServiceUnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isOutage } from '../outage.ts';
import {
  SessionEndedError,
  SessionRequiredError,
  TooManySessionChangesError,
  TooManyStreamsError,
} from './errors.ts';
import type { SessionOwner, SessionStore } from './ports/session-store.ts';
import {
  type EndOutcome,
  endSlot,
  type HoldOutcome,
  type HoldRequest,
  holdSlot,
  noSessions,
  type Slot,
  type ViewerSessions,
} from './viewer-sessions.ts';

export interface StreamSessionsDependencies {
  readonly store: SessionStore;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  /** The longest duration of a lease. */
  readonly sessionSeconds: number;
}

export interface HeldSession {
  /** Every signature must expire at this time at the latest; epoch milliseconds. */
  readonly endsAt: number;
  /** When the page that plays the stream must renew the session, ISO 8601. */
  readonly renewAt: string;
}

export interface SessionRequest extends Pick<HoldRequest, 'eventId' | 'address' | 'takeOver'> {
  readonly owner: SessionOwner;
  readonly sessionId: string | undefined;
  readonly limit: number;
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
    readonly owner: SessionOwner;
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

/**
 * Each page renews its session at a random time between these fractions of the lease, so that viewers do not all renew
 * at the same time.
 */
const earliestRenewal = 0.55;
const latestRenewal = 0.8;
export const renewalShare = (earliestRenewal + latestRenewal) / 2;

/** Addresses are only counted, so a short hash is stored. The same address has a different hash for each viewer. */
const hashed = ({ userSub }: SessionOwner, address: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userSub, address]))
    .digest('base64url')
    .slice(0, 8);

/**
 * Limits how many paid streams a viewer plays at the same time. One item holds all leases of a viewer in an
 * application.
 */
export const createStreamSessions = ({
  store,
  clock,
  random,
  logger,
  sessionSeconds,
}: StreamSessionsDependencies): StreamSessions => {
  const leases = newCache<Slot>({
    capacity: leasesInMemory,
    lifetimeMilliseconds: sessionSeconds * 1_000,
    clock,
  });
  const keyOf = ({ applicationId, userSub }: SessionOwner, sessionId: string, eventId: string): string =>
    JSON.stringify([applicationId, userSub, sessionId, eventId]);

  const heldOf = ({ leasedAt, endsAt: leaseEndsAt }: Slot, endsAt: number): HeldSession => {
    const share = earliestRenewal + (latestRenewal - earliestRenewal) * random();
    const planned = leasedAt + share * (leaseEndsAt - leasedAt);
    // If access ends before the lease does, the player page must renew the lease earlier.
    const now = clock();
    const renewAt = Math.max(now, Math.min(planned, now + share * (endsAt - now)));
    return { endsAt, renewAt: new Date(renewAt).toISOString() };
  };

  const change = async <Outcome extends HoldOutcome | EndOutcome>(
    owner: SessionOwner,
    {
      decide,
      isReadOnly,
    }: { readonly decide: (sessions: ViewerSessions) => Outcome; readonly isReadOnly: boolean },
  ): Promise<Outcome> => {
    for (let tried = 0; tried < triesAtMost; tried += 1) {
      const stored = await store.find(owner);
      const outcome = decide(stored?.sessions ?? noSessions(clock()));
      if (outcome.outcome !== 'changed' || isReadOnly) return outcome;
      const { sessions } = outcome;
      if (await store.save(owner, { before: stored?.version, sessions })) return outcome;
    }
    throw new ServiceUnavailableError({
      message: 'Other requests changed the viewer’s sessions at every try',
    });
  };

  /** During an outage of the store, a session continues until the end of the lease that this instance remembers. */
  const heldWithoutStore = (lease: Slot | undefined, accessEndsAt: number, cause: unknown): HeldSession => {
    logger.warn('Sessions cannot be read or saved', { error: cause });
    if (lease === undefined || lease.endsAt <= clock()) {
      throw new ServiceUnavailableError({ message: 'Sessions cannot be read or saved', cause });
    }
    return heldOf(lease, Math.min(lease.endsAt, accessEndsAt));
  };

  return {
    hold: async ({
      owner,
      sessionId,
      address,
      accessEndsAt = Number.POSITIVE_INFINITY,
      isReadOnly,
      ...request
    }) => {
      if (sessionId === undefined) throw new SessionRequiredError();
      const key = keyOf(owner, sessionId, request.eventId);
      const decide = (sessions: ViewerSessions): HoldOutcome => {
        const now = clock();
        const endsAt = Math.min(now + sessionSeconds * 1_000, accessEndsAt);
        return holdSlot(sessions, { ...request, address: hashed(owner, address), sessionId, now, endsAt });
      };
      const held = await change(owner, { decide, isReadOnly }).catch((error: unknown) => {
        if (isOutage(error)) return { outcome: 'out-of-reach', error } as const;
        throw error;
      });
      switch (held.outcome) {
        case 'kept':
        case 'changed': {
          const { slot } = held;
          if (!isReadOnly) leases.set(key, slot, slot.endsAt - clock());
          return heldOf(slot, held.outcome === 'kept' ? held.endsAt : slot.endsAt);
        }
        case 'out-of-reach':
          return heldWithoutStore(leases.get(key), accessEndsAt, held.error);
        case 'taken-over':
          leases.delete(key);
          throw new SessionEndedError();
        case 'full':
          throw new TooManyStreamsError({ slots: held.slots });
        case 'frees-used':
          throw new TooManySessionChangesError({ retryAt: held.retryAt, now: clock() });
      }
    },

    end: async ({ owner, sessionId, eventId }) => {
      const decide = (sessions: ViewerSessions): EndOutcome =>
        endSlot(sessions, { sessionId, eventId, now: clock() });
      const ended = await change(owner, { decide, isReadOnly: false });
      leases.delete(keyOf(owner, sessionId, eventId));
      if (ended.outcome === 'frees-used') {
        throw new TooManySessionChangesError({ retryAt: ended.retryAt, now: clock() });
      }
    },
  };
};
