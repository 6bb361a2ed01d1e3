import type { LaterPart } from '../../platform/later-data.ts';

/**
 * A browser tab that plays an event has a slot: a lease that lasts until the last stream signature for the tab expires.
 * Times are epoch milliseconds.
 */
export interface Slot {
  readonly sessionId: string;
  readonly eventId: string;
  /** The applications that count the stream. */
  readonly applicationIds: readonly string[];
  readonly beganAt: number;
  readonly leasedAt: number;
  readonly endsAt: number;
  /**
   * The continuations that the calls since the last renewal got, newest last. Only a call that presents one of them
   * renews the lease, and then the others no longer count. There are several if a call was repeated because its
   * response was lost.
   */
  readonly continuations: readonly string[];
  /** The continuation that the last renewal presented. Absent for a session that was never renewed. */
  readonly former?: string | undefined;
  readonly later?: LaterPart | undefined;
}

/** How many streams a viewer may play at the same time, by the id of the application that counts them. */
export type StreamLimits = ReadonlyMap<string, number>;

/** What a viewer did on one day (UTC). Shown to operators. */
export interface DayOfSessions {
  /** Such as `2026-11-23`. */
  readonly day: string;
  /** The applications that counted the viewer's streams. */
  readonly applicationIds: readonly string[];
  readonly begun: number;
  readonly ended: number;
  readonly takenOver: number;
  /** Calls that were refused because another device had renewed the session. */
  readonly refused: number;
  /** Hashes of the addresses from which sessions were begun, renewed or refused, {@link addressesAtMost} at most. */
  readonly addresses: readonly string[];
  readonly later?: LaterPart | undefined;
}

/** A session that was taken over. Until then, its calls are refused. */
interface TakenOver {
  readonly sessionId: string;
  readonly until: number;
  readonly later?: LaterPart | undefined;
}

export interface ViewerSessions {
  readonly slots: readonly Slot[];
  readonly takenOver: readonly TakenOver[];
  /** The times at which slots were freed early, before their leases ended. */
  readonly freedAt: readonly number[];
  /** The times at which slots moved to another event. */
  readonly movedAt: readonly number[];
  /** The times at which the first call of a session was repeated. */
  readonly repeatedAt: readonly number[];
  readonly today: DayOfSessions;
}

export const addressesAtMost = 20;

/** A page keeps one of the newest continuations, even if it repeats a call many times. */
export const continuationsAtMost = 20;

/** How often something may happen to a viewer's sessions within a time. */
interface Budget {
  readonly most: number;
  readonly milliseconds: number;
}

const minute = 60_000;

/** How long the calls of a session are told that it was taken over. */
export const refusedAfterTakeoverMilliseconds = 60 * minute;

/**
 * A stream signature stays valid after its slot is freed. If slots could be freed often, a viewer could play more
 * streams than the limit.
 */
export const frees: Budget = { most: 3, milliseconds: 10 * minute };

/** The signature for the previous event stays valid, as after a free. But viewers often change events. */
export const moves: Budget = { most: 20, milliseconds: 10 * minute };

/**
 * Devices that only know the id of a session can begin it together, and all get a signature. So a page whose first
 * response was lost can repeat the call, but not without end.
 */
export const repeats: Budget = { most: 10, milliseconds: 60 * minute };

/** When the budget next allows one more. In the past if it does now. */
export const allowedAt = ({ most, milliseconds }: Budget, at: readonly number[]): number =>
  (at.at(-most) ?? Number.NEGATIVE_INFINITY) + milliseconds;

const within = ({ milliseconds }: Budget, at: readonly number[], now: number): readonly number[] =>
  at.filter((one) => one > now - milliseconds);

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const emptyDay = (day: string): DayOfSessions => ({
  day,
  applicationIds: [],
  begun: 0,
  ended: 0,
  takenOver: 0,
  refused: 0,
  addresses: [],
});

export const noSessions = (now: number): ViewerSessions => ({
  slots: [],
  takenOver: [],
  freedAt: [],
  movedAt: [],
  repeatedAt: [],
  today: emptyDay(dayOf(now)),
});

/** Without what has ended. */
export const currentOf = (sessions: ViewerSessions, now: number): ViewerSessions => ({
  slots: sessions.slots.filter(({ endsAt }) => endsAt > now),
  takenOver: sessions.takenOver.filter(({ until }) => until > now),
  freedAt: within(frees, sessions.freedAt, now),
  movedAt: within(moves, sessions.movedAt, now),
  repeatedAt: within(repeats, sessions.repeatedAt, now),
  today: sessions.today.day === dayOf(now) ? sessions.today : emptyDay(dayOf(now)),
});

/** Frees slots before the end of their leases. Returns `retryAt` if too many were freed recently. */
export const free = (
  sessions: ViewerSessions,
  isFreed: (slot: Slot) => boolean,
  now: number,
): { readonly after: ViewerSessions } | { readonly retryAt: number } => {
  const freed = sessions.slots.filter(isFreed);
  const freedAt = [...sessions.freedAt, ...freed.map(() => now)];
  if (freedAt.length > frees.most) return { retryAt: allowedAt(frees, freedAt.slice(0, -1)) };
  return { after: { ...sessions, slots: sessions.slots.filter((slot) => !isFreed(slot)), freedAt } };
};

export type EndOutcome =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'changed'; readonly sessions: ViewerSessions }
  | { readonly outcome: 'changes-used'; readonly retryAt: number };

export const endSlot = (
  stored: ViewerSessions,
  { sessionId, eventId, now }: { readonly sessionId: string; readonly eventId: string; readonly now: number },
): EndOutcome => {
  const sessions = currentOf(stored, now);
  const isOwn = (slot: Slot) => slot.sessionId === sessionId && slot.eventId === eventId;
  const own = sessions.slots.find(isOwn);
  if (own === undefined) return { outcome: 'unknown' };
  const freed = free(sessions, isOwn, now);
  if ('retryAt' in freed) return { outcome: 'changes-used', retryAt: Math.min(freed.retryAt, own.endsAt) };
  const { today } = freed.after;
  return {
    outcome: 'changed',
    sessions: { ...freed.after, today: { ...today, ended: today.ended + 1 } },
  };
};
