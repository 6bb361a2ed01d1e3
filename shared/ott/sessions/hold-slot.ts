import {
  addressesAtMost,
  allowedAt,
  continuationsAtMost,
  currentOf,
  free,
  moves,
  refusedAfterTakeoverMilliseconds,
  repeats,
  type Slot,
  type StreamLimits,
  type ViewerSessions,
} from './viewer-sessions.ts';

export type HoldOutcome =
  /** The lease continues unchanged, so nothing needs to be written. */
  | {
      readonly outcome: 'kept';
      readonly slot: Slot;
      readonly endsAt: number;
      readonly continuation: string;
    }
  | {
      readonly outcome: 'changed';
      readonly slot: Slot;
      readonly endsAt: number;
      readonly continuation: string;
      readonly sessions: ViewerSessions;
    }
  | { readonly outcome: 'taken-over' }
  /** Another device has renewed the session. The refusal is counted in `sessions`. */
  | { readonly outcome: 'renewed-elsewhere'; readonly sessions: ViewerSessions }
  /** `slots` are those of other sessions, in the applications in which the viewer has no slot left. */
  | { readonly outcome: 'full'; readonly slots: readonly Slot[] }
  /** Too many slots were freed early, moved, or begun again. The same call succeeds at `retryAt`. */
  | { readonly outcome: 'changes-used'; readonly retryAt: number };

export interface HoldRequest {
  readonly sessionId: string;
  readonly eventId: string;
  readonly takeOver?: string | undefined;
  /** The continuation in the last response that the web page received. @default the page has no response yet */
  readonly continuation?: string | undefined;
  /** The continuation for the response, unless the call keeps the continuation that it sent. */
  readonly newContinuation: string;
  /** Not empty. Each application counts the stream. */
  readonly limits: StreamLimits;
  readonly now: number;
  /** When a signature created now would expire. */
  readonly endsAt: number;
  readonly address: string;
}

/** The viewer's sessions as they were read, for a call that is neither allowed nor refused yet. */
interface Deciding extends HoldRequest {
  readonly sessions: ViewerSessions;
}

/**
 * Begins or renews a session, or moves it to another event. A repeat of each of these calls does no harm.
 *
 * Only a call that presents a continuation renews or moves the session. Several devices that use one session have
 * different continuations, so the first of them that renews the session keeps it, and the others are refused. A call
 * that presents the same continuation as the last renewal repeats a call whose response was lost. It gets a
 * continuation of its own, but the lease keeps its end.
 *
 * Until the first renewal, every other call counts as a repetition of the session's first call. Nothing proves that it
 * comes from the same device, so the number of such calls is limited.
 */
export const holdSlot = (stored: ViewerSessions, request: HoldRequest): HoldOutcome => {
  const { sessionId, eventId, continuation, now } = request;
  const sessions = seenFrom(currentOf(stored, now), request);
  if (sessions.takenOver.some((one) => one.sessionId === sessionId)) return { outcome: 'taken-over' };
  const deciding = { ...request, sessions };

  const ofSession = sessions.slots.filter((slot) => slot.sessionId === sessionId);
  const presented = ofSession.find((slot) => isLatest(slot, continuation) || isFormer(slot, continuation));
  if (presented !== undefined) {
    return presented.eventId === eventId ? renew(deciding, presented) : move(deciding, presented);
  }
  if (ofSession.some(({ former }) => former !== undefined)) {
    const { today } = sessions;
    return {
      outcome: 'renewed-elsewhere',
      sessions: { ...sessions, today: { ...today, refused: today.refused + 1 } },
    };
  }
  const begun = ofSession.find((slot) => slot.eventId === eventId) ?? ofSession[0];
  return begun === undefined ? begin(deciding) : repeatBegin(deciding, begun);
};

const isLatest = ({ continuations }: Slot, continuation: string | undefined): boolean =>
  continuation !== undefined && continuations.includes(continuation);

const isFormer = ({ former }: Slot, continuation: string | undefined): boolean =>
  continuation !== undefined && continuation === former;

const seenFrom = (
  sessions: ViewerSessions,
  { address, limits }: Pick<HoldRequest, 'address' | 'limits'>,
): ViewerSessions => {
  const { today } = sessions;
  const addresses = [...new Set([...today.addresses, address])].slice(0, addressesAtMost);
  const applicationIds = [...new Set([...today.applicationIds, ...limits.keys()])];
  return { ...sessions, today: { ...today, addresses, applicationIds } };
};

/** `after` takes the place of `before`, and of other slots of the session. */
const changed = (
  { sessions, newContinuation, endsAt }: Deciding,
  { before, after }: { readonly before: Slot; readonly after: Slot },
): HoldOutcome => ({
  outcome: 'changed',
  slot: after,
  endsAt: Math.min(after.endsAt, endsAt),
  continuation: newContinuation,
  sessions: {
    ...sessions,
    slots: sessions.slots
      .filter((slot) => slot === before || slot.sessionId !== before.sessionId)
      .map((slot) => (slot === before ? after : slot)),
  },
});

/** The lease keeps its end, and every earlier continuation still counts. */
const repeated = (slot: Slot, { newContinuation }: HoldRequest): Slot => ({
  ...slot,
  continuations: [...slot.continuations, newContinuation].slice(-continuationsAtMost),
});

/** After this renewal, only the continuation in its response can renew the lease again. */
const renewed = (slot: Slot, { continuation, newContinuation, now, endsAt, limits }: HoldRequest): Slot => ({
  ...slot,
  applicationIds: [...limits.keys()],
  leasedAt: now,
  endsAt,
  former: continuation,
  continuations: [newContinuation],
});

const renew = (deciding: Deciding, own: Slot): HoldOutcome => {
  const { continuation, now, endsAt } = deciding;
  if (continuation === undefined || !isLatest(own, continuation)) {
    return changed(deciding, { before: own, after: repeated(own, deciding) });
  }
  const isFirstHalf = now < own.leasedAt + (own.endsAt - own.leasedAt) / 2;
  if (isFirstHalf || endsAt <= own.endsAt) {
    return { outcome: 'kept', slot: own, endsAt: Math.min(own.endsAt, endsAt), continuation };
  }
  const placed = withinLimit(deciding, own);
  if ('outcome' in placed) return placed;
  return changed(placed, { before: own, after: renewed(own, deciding) });
};

/** A page that changes events quickly may keep the response of any of these calls. */
const move = (deciding: Deciding, own: Slot): HoldOutcome => {
  const { eventId, continuation, now, limits } = deciding;
  const retryAt = allowedAt(moves, deciding.sessions.movedAt);
  if (retryAt > now) return { outcome: 'changes-used', retryAt: Math.min(retryAt, own.endsAt) };
  const placed = withinLimit(deciding, own);
  if ('outcome' in placed) return placed;
  const { sessions } = placed;
  const moved = { ...own, eventId, applicationIds: [...limits.keys()], beganAt: now };
  return changed(
    { ...placed, sessions: { ...sessions, movedAt: [...sessions.movedAt, now] } },
    {
      before: own,
      after: isLatest(own, continuation) ? renewed(moved, deciding) : repeated(moved, deciding),
    },
  );
};

const repeatBegin = (deciding: Deciding, own: Slot): HoldOutcome => {
  const { eventId, now, limits } = deciding;
  const retryAt = allowedAt(repeats, deciding.sessions.repeatedAt);
  if (retryAt > now) return { outcome: 'changes-used', retryAt: Math.min(retryAt, own.endsAt) };
  const placed = withinLimit(deciding, own);
  if ('outcome' in placed) return placed;
  const { sessions } = placed;
  const begun = { ...own, eventId, applicationIds: [...limits.keys()] };
  return changed(
    { ...placed, sessions: { ...sessions, repeatedAt: [...sessions.repeatedAt, now] } },
    { before: own, after: repeated(begun, deciding) },
  );
};

const countedBy = (slots: readonly Slot[], applicationId: string): readonly Slot[] =>
  slots.filter(({ applicationIds }) => applicationIds.includes(applicationId));

/**
 * Whether each application has room for this slot, or for a new one. If a limit was lowered, the newest sessions
 * are beyond it.
 */
const hasRoom = ({ slots }: ViewerSessions, limits: StreamLimits, own?: Slot): boolean =>
  [...limits].every(([applicationId, limit]) => {
    const counted = countedBy(slots, applicationId);
    const at = own === undefined ? -1 : counted.indexOf(own);
    return (at === -1 ? counted.length : at) < limit;
  });

/** Sessions beyond a limit that was lowered end when their leases do. */
const withinLimit = (
  deciding: Deciding,
  own?: Slot,
): Deciding | Extract<HoldOutcome, { outcome: 'full' | 'changes-used' }> => {
  const { limits } = deciding;
  if (hasRoom(deciding.sessions, limits, own)) return deciding;
  const freed = takeOver(deciding);
  if ('outcome' in freed) return freed;
  return hasRoom(freed.sessions, limits, own) ? freed : full(deciding);
};

/** Frees the slots of the session that the request names, if there are any. */
const takeOver = (deciding: Deciding): Deciding | Extract<HoldOutcome, { outcome: 'changes-used' }> => {
  const { sessions, sessionId, takeOver: taken, now } = deciding;
  const isTaken = (slot: Slot) => slot.sessionId === taken && slot.sessionId !== sessionId;
  if (taken === undefined || !sessions.slots.some(isTaken)) return deciding;
  const freed = free(sessions, isTaken, now);
  if ('retryAt' in freed) {
    return { outcome: 'changes-used', retryAt: Math.min(freed.retryAt, roomAt(deciding)) };
  }
  const { after } = freed;
  return {
    ...deciding,
    sessions: {
      ...after,
      takenOver: [...after.takenOver, { sessionId: taken, until: now + refusedAfterTakeoverMilliseconds }],
      today: { ...after.today, takenOver: after.today.takenOver + 1 },
    },
  };
};

/** When enough leases have ended that a session can begin. */
const roomAt = ({ sessions: { slots }, limits }: Deciding): number =>
  Math.max(
    ...[...limits].map(([applicationId, limit]) => {
      const ends = countedBy(slots, applicationId).map(({ endsAt }) => endsAt);
      return ends.toSorted((a, b) => a - b)[ends.length - limit] ?? 0;
    }),
  );

const full = ({ sessions: { slots }, sessionId, limits }: Deciding) => {
  const inFull = [...limits]
    .map(([applicationId, limit]) => ({ counted: countedBy(slots, applicationId), limit }))
    .flatMap(({ counted, limit }) => (counted.length < limit ? [] : counted));
  const others = slots.filter((slot) => slot.sessionId !== sessionId && inFull.includes(slot));
  return { outcome: 'full', slots: others } as const;
};

const begin = (deciding: Deciding): HoldOutcome => {
  const { sessionId, eventId, limits, now, endsAt, newContinuation } = deciding;
  const placed = withinLimit(deciding);
  if ('outcome' in placed) return placed;
  const { sessions } = placed;
  const continuations = [newContinuation];
  const applicationIds = [...limits.keys()];
  const slot = { sessionId, eventId, applicationIds, beganAt: now, leasedAt: now, endsAt, continuations };
  const { today } = sessions;
  return {
    outcome: 'changed',
    slot,
    endsAt,
    continuation: newContinuation,
    sessions: {
      ...sessions,
      slots: [...sessions.slots, slot],
      today: { ...today, begun: today.begun + 1 },
    },
  };
};
