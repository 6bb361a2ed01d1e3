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
  /** How long a lease lasts at most. */
  readonly sessionSeconds: number;
}

export interface HeldSession {
  /** Epoch milliseconds by which what is signed must end. */
  readonly endsAt: number;
  /** When the page is to renew it, ISO 8601. */
  readonly renewAt: string;
}

/** The question of one stream call, after everything else has been decided. */
export interface SessionRequest extends Pick<HoldRequest, 'eventId' | 'address' | 'takeOver'> {
  readonly owner: SessionOwner;
  readonly sessionId: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds at which the viewer's access ends. @default it does not */
  readonly accessEndsAt?: number | undefined;
  /** Answers what would be held, without holding it. */
  readonly isReadOnly: boolean;
}

export interface StreamSessions {
  /**
   * @throws SessionRequiredError, SessionEndedError, TooManyStreamsError, TooManySessionChangesError;
   * ServiceUnavailableError when the store is out of reach and the session is not known to have a lease.
   */
  hold(request: SessionRequest): Promise<HeldSession>;
  /** Does nothing for a session that has no lease. @throws TooManySessionChangesError, ServiceUnavailableError */
  end(request: {
    readonly owner: SessionOwner;
    readonly sessionId: string;
    readonly eventId: string;
  }): Promise<void>;
}

/** Of several calls at once one wins each round, and the others see what it wrote; few rounds leave somebody to win. */
const triesAtMost = 30;

const leasesInMemory = 10_000;

/** Pages renew between these parts of a lease, each at another moment: a million viewers do not come in one second. */
const earliestRenewal = 0.55;
const latestRenewal = 0.8;
/** The part of its lease after which a session is renewed on average. */
export const renewalShare = (earliestRenewal + latestRenewal) / 2;

/** Addresses are counted and not kept: short, and different for each viewer. */
const hashed = ({ userSub }: SessionOwner, address: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userSub, address]))
    .digest('base64url')
    .slice(0, 8);

/** How many paid streams a viewer plays at once, by leases in one item for each viewer and application. */
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
    // Access that ends before the lease has to be asked for again before that.
    const now = clock();
    const renewAt = Math.max(now, Math.min(planned, now + share * (endsAt - now)));
    return { endsAt, renewAt: new Date(renewAt).toISOString() };
  };

  /** Applies a change to the stored state; repeats it while others are faster. */
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
    throw new ServiceUnavailableError({ message: 'A viewer’s sessions changed at each try' });
  };

  /** A session that is known to have a lease goes on within it; any other waits for the store. */
  const heldWithoutStore = (lease: Slot | undefined, accessEndsAt: number, cause: unknown): HeldSession => {
    logger.warn('Sessions are out of reach', { error: cause });
    if (lease === undefined || lease.endsAt <= clock()) {
      throw new ServiceUnavailableError({ message: 'Sessions are out of reach', cause });
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
