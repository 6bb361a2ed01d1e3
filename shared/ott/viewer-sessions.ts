/**
 * A browser tab that plays an event has a slot: a lease that lasts until the last stream signature for the tab expires.
 * Times are epoch milliseconds.
 */
export interface Slot {
  readonly sessionId: string;
  readonly eventId: string;
  readonly beganAt: number;
  readonly leasedAt: number;
  readonly endsAt: number;
}

/** What a viewer did on one day (UTC). Shown to operators. */
export interface DayOfSessions {
  /** Such as `2026-11-23`. */
  readonly day: string;
  readonly begun: number;
  readonly ended: number;
  readonly takenOver: number;
  /** Hashes of the addresses from which sessions were begun, {@link addressesAtMost} at most. */
  readonly addresses: readonly string[];
}

export interface ViewerSessions {
  readonly slots: readonly Slot[];
  /** Sessions that were taken over, and until when their calls are refused. */
  readonly takenOver: readonly { readonly sessionId: string; readonly until: number }[];
  /** The times at which slots were freed early, before their leases ended. */
  readonly freedAt: readonly number[];
  readonly today: DayOfSessions;
}

export const addressesAtMost = 20;

/**
 * A stream signature stays valid after its slot is freed. If slots could be freed often, a viewer could play more
 * streams than the limit.
 */
const freesAtMost = 3;
const freesWindowMilliseconds = 10 * 60_000;

const refusedAfterTakeoverMilliseconds = 60 * 60_000;

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const emptyDay = (day: string): DayOfSessions => ({ day, begun: 0, ended: 0, takenOver: 0, addresses: [] });

export const noSessions = (now: number): ViewerSessions => ({
  slots: [],
  takenOver: [],
  freedAt: [],
  today: emptyDay(dayOf(now)),
});

const currentOf = (sessions: ViewerSessions, now: number): ViewerSessions => ({
  slots: sessions.slots.filter(({ endsAt }) => endsAt > now),
  takenOver: sessions.takenOver.filter(({ until }) => until > now),
  freedAt: sessions.freedAt.filter((at) => at > now - freesWindowMilliseconds),
  today: sessions.today.day === dayOf(now) ? sessions.today : emptyDay(dayOf(now)),
});

/** Frees slots before the end of their leases. Returns `retryAt` if too many were freed recently. */
const free = (
  sessions: ViewerSessions,
  isFreed: (slot: Slot) => boolean,
  now: number,
): { readonly after: ViewerSessions } | { readonly retryAt: number } => {
  const freed = sessions.slots.filter(isFreed);
  const freedAt = [...sessions.freedAt, ...freed.map(() => now)];
  if (freedAt.length > freesAtMost) {
    const [oldest = now] = freedAt;
    return { retryAt: oldest + freesWindowMilliseconds };
  }
  return { after: { ...sessions, slots: sessions.slots.filter((slot) => !isFreed(slot)), freedAt } };
};

export type HoldOutcome =
  /** The lease continues unchanged, so nothing needs to be written. */
  | { readonly outcome: 'kept'; readonly slot: Slot; readonly endsAt: number }
  | { readonly outcome: 'changed'; readonly slot: Slot; readonly sessions: ViewerSessions }
  | { readonly outcome: 'taken-over' }
  | { readonly outcome: 'full'; readonly slots: readonly Slot[] }
  /** Too many slots were freed early. The next one can be freed at `retryAt`. */
  | { readonly outcome: 'frees-used'; readonly retryAt: number };

export interface HoldRequest {
  readonly sessionId: string;
  readonly eventId: string;
  readonly takeOver?: string | undefined;
  readonly limit: number;
  readonly now: number;
  /** When a signature created now would expire. */
  readonly endsAt: number;
  readonly address: string;
}

/**
 * Begins or renews a session. Both are the same call, so a retry of either does no harm. A renewal in the first half of
 * the lease does not extend the lease. A session that moves to another event takes a new slot, and its previous slot
 * stays taken until the lease ends. If no slot is available, the previous slot is freed at once.
 */
export const holdSlot = (stored: ViewerSessions, request: HoldRequest): HoldOutcome => {
  const { sessionId, eventId, takeOver, limit, now, endsAt, address } = request;
  let sessions = currentOf(stored, now);
  if (sessions.takenOver.some((one) => one.sessionId === sessionId)) return { outcome: 'taken-over' };

  const isOwn = (slot: Slot) => slot.sessionId === sessionId && slot.eventId === eventId;
  const own = sessions.slots.find(isOwn);
  if (own !== undefined) {
    const isFirstHalf = now < own.leasedAt + (own.endsAt - own.leasedAt) / 2;
    if (isFirstHalf || endsAt <= own.endsAt) {
      return { outcome: 'kept', slot: own, endsAt: Math.min(own.endsAt, endsAt) };
    }
    const slot = { ...own, leasedAt: now, endsAt };
    const slots = sessions.slots.map((one) => (isOwn(one) ? slot : one));
    return { outcome: 'changed', slot, sessions: { ...sessions, slots } };
  }

  const isTaken = (slot: Slot) => slot.sessionId === takeOver && slot.sessionId !== sessionId;
  if (takeOver !== undefined && sessions.slots.some(isTaken)) {
    const freed = free(sessions, isTaken, now);
    if ('retryAt' in freed) return { outcome: 'frees-used', retryAt: freed.retryAt };
    sessions = {
      ...freed.after,
      takenOver: [
        ...freed.after.takenOver,
        { sessionId: takeOver, until: now + refusedAfterTakeoverMilliseconds },
      ],
      today: { ...freed.after.today, takenOver: freed.after.today.takenOver + 1 },
    };
  }

  if (sessions.slots.length >= limit) {
    const isFormer = (slot: Slot) => slot.sessionId === sessionId;
    if (!sessions.slots.some(isFormer)) return { outcome: 'full', slots: sessions.slots };
    const freed = free(sessions, isFormer, now);
    if ('retryAt' in freed) return { outcome: 'frees-used', retryAt: freed.retryAt };
    if (freed.after.slots.length >= limit) return { outcome: 'full', slots: sessions.slots };
    sessions = freed.after;
  }

  const slot = { sessionId, eventId, beganAt: now, leasedAt: now, endsAt };
  const { today } = sessions;
  const addresses = [...new Set([...today.addresses, address])].slice(0, addressesAtMost);
  return {
    outcome: 'changed',
    slot,
    sessions: {
      ...sessions,
      slots: [...sessions.slots, slot],
      today: { ...today, begun: today.begun + 1, addresses },
    },
  };
};

export type EndOutcome =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'changed'; readonly sessions: ViewerSessions }
  | { readonly outcome: 'frees-used'; readonly retryAt: number };

export const endSlot = (
  stored: ViewerSessions,
  { sessionId, eventId, now }: { readonly sessionId: string; readonly eventId: string; readonly now: number },
): EndOutcome => {
  const sessions = currentOf(stored, now);
  const isOwn = (slot: Slot) => slot.sessionId === sessionId && slot.eventId === eventId;
  if (!sessions.slots.some(isOwn)) return { outcome: 'unknown' };
  const freed = free(sessions, isOwn, now);
  if ('retryAt' in freed) return { outcome: 'frees-used', retryAt: freed.retryAt };
  const { today } = freed.after;
  return {
    outcome: 'changed',
    sessions: { ...freed.after, today: { ...today, ended: today.ended + 1 } },
  };
};
