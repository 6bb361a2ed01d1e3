import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { streamCodes } from '../../platform/watched.ts';
import { decideStream, type StreamVerdict, type VisibleStream } from '../decision.ts';
import { exemptionOf, sessionsStep } from '../decision-steps.ts';
import {
  CountryUnavailableError,
  EntitlementDeniedError,
  EntitlementUnavailableError,
  EventNotFoundError,
  LoginRequiredError,
  PurchaseRequiredError,
  StreamNotAvailableError,
} from '../errors.ts';
import type { PresentEvent, Stream } from '../events/event.ts';
import { isEventId } from '../events/event-schema.ts';
import type { EventRepository } from '../ports/event-repository.ts';
import type { PlaybackSigner, SignedPlayback } from '../ports/playback-signer.ts';
import { type StreamLimitsDependencies, streamLimits } from '../sessions/stream-limits.ts';
import type { HeldSession, SessionRequest, StreamSessions } from '../sessions/stream-sessions.ts';
import { type CheckTicketsDependencies, checkTickets } from '../tickets/check-tickets.ts';
import type { Caller } from '../viewers/caller.ts';
import {
  type ResolveContextDependencies,
  resolveContext,
  type ViewerContext,
} from '../viewers/viewer-context.ts';
import type { RenewalOf } from './renewal.ts';
import { overlaps, type SignedPath, signedPathMistakes, signedPathOf } from './signed-path.ts';

export interface GetStreamDependencies {
  readonly context: ResolveContextDependencies;
  readonly events: Pick<EventRepository, 'find' | 'findCounterpart' | 'streamsUnder'>;
  readonly signer: PlaybackSigner;
  /**
   * Absent if the stage does not sign cookies, because such a stage cannot stop a playing stream after the viewer has
   * given the ticket away.
   * @default none: only a purchase gives access
   */
  readonly tickets?: CheckTicketsDependencies | undefined;
  /**
   * Limits how many streams a viewer plays at the same time. Absent if the stage does not sign cookies, because it then
   * cannot stop a playing stream when the session ends. @default streams are not limited
   */
  readonly sessions?: (Pick<StreamSessions, 'hold'> & StreamLimitsDependencies) | undefined;
  readonly clock: Clock;
  readonly renewalOf: RenewalOf;
  readonly logger: Pick<Logger, 'error'>;
}

export interface StreamRequest {
  readonly caller: Caller;
  readonly eventId: string;
  /** Called only if an application limits the event's streams. @throws BadRequestError */
  readonly session: () => Pick<SessionRequest, 'sessionId' | 'continuation' | 'takeOver'>;
  /** Whether to respond without starting or changing a session (HEAD). */
  readonly isReadOnly: boolean;
}

export interface Playback {
  readonly event: PresentEvent;
  readonly stream: Stream;
  readonly signed: SignedPlayback;
  /**
   * When the page that plays the stream must request it again, ISO 8601. Absent if the stage does not sign cookies,
   * because only cookies can be replaced while a player uses them.
   */
  readonly renewAt?: string | undefined;
  /** The continuation that the page presents to renew the session. */
  readonly continuation?: string | undefined;
}

/**
 * @throws EventNotFoundError, CountryUnavailableError; for a visible event LoginRequiredError, PurchaseRequiredError,
 * EntitlementDeniedError, EntitlementUnavailableError, StreamNotAvailableError, or the errors of
 * {@link StreamSessions.hold}.
 */
export const getStream = async (
  dependencies: GetStreamDependencies,
  request: StreamRequest,
): Promise<Playback> => {
  const { context, events, signer, clock } = dependencies;
  const { caller, eventId } = request;
  const [resolved, candidate] = await Promise.all([
    // The entitlement service may refuse an id that no event can have, and would then count as down.
    resolveContext(context, { caller, ...(isEventId(eventId) && { eventId }) }),
    events.find(eventId),
  ]);

  const judged = decideStream(candidate, resolved, { now: clock() });
  let path: Promise<WrongPath | undefined> | undefined;
  const readPath = (of: VisibleStream): Promise<WrongPath | undefined> => {
    path ??= wrongPathOf(dependencies, of);
    return path;
  };
  const verdict = await withTickets(dependencies, caller, {
    judged,
    readPath,
    // A viewer whose purchase is unknown is judged like one who bought nothing.
    judgeHolder: (ticketEndsAt) =>
      decideStream(candidate, { ...resolved, viewer: withoutPurchase }, { now: clock(), ticketEndsAt }),
  });
  if (verdict.outcome === 'not-found') await events.findCounterpart(candidate);
  if (verdict.outcome !== 'playable') throw refusalOf(verdict);

  const { event, stream, endsAt } = verdict;
  requireOwnPath(dependencies, event, await readPath(verdict));
  const held = await holdSession(dependencies, request, { event, context: resolved, endsAt });
  const signed = await signer.sign({ stream, endsAt: held?.endsAt ?? endsAt });
  const renewAt = renewAtOf(dependencies, signed, held);
  if (held === undefined) return { event, stream, signed, renewAt };
  // A HEAD request holds no session, so it gets no cookies. With cookies, HEAD requests could be used to bypass the
  // limit.
  const handedOut = request.isReadOnly ? { ...signed, cookies: [] } : signed;
  return { event, stream, signed: handedOut, renewAt, continuation: held.continuation };
};

/** Without a session, a page renews its cookies. Each renewal checks again whether the viewer may play. */
const renewAtOf = (
  { signer, clock, renewalOf }: Pick<GetStreamDependencies, 'signer' | 'clock' | 'renewalOf'>,
  { expiresAt }: SignedPlayback,
  held: HeldSession | undefined,
): string | undefined => {
  if (signer.signing !== 'cookies' || expiresAt === null) return undefined;
  const endsAt = held?.endsAt ?? Date.parse(expiresAt);
  const { from, endsAt: leaseEndsAt } = held?.lease ?? { from: clock(), endsAt };
  return new Date(renewalOf({ from, leaseEndsAt, endsAt })).toISOString();
};

const withoutPurchase = { kind: 'logged-in', entitlement: 'no_purchase' } as const;

const sellerOf = ({ viewer }: ViewerContext): string | undefined =>
  viewer.kind === 'logged-in' && viewer.entitlement === 'granted' ? viewer.seller : undefined;

const holdSession = async (
  { sessions }: Pick<GetStreamDependencies, 'sessions'>,
  { caller, eventId, session, isReadOnly }: StreamRequest,
  {
    event,
    context,
    endsAt: accessEndsAt,
  }: {
    readonly event: PresentEvent;
    readonly context: ViewerContext;
    readonly endsAt: number | undefined;
  },
): Promise<HeldSession | undefined> => {
  const { applicationId, login, address, configuration } = caller;
  if (sessions === undefined || login === undefined) return undefined;
  // The limits are read only if they can count.
  if (exemptionOf(event, context.viewer) !== undefined) return undefined;
  const limits = await streamLimits(sessions, {
    applicationId,
    configuration,
    event,
    seller: sellerOf(context),
  });
  if (sessionsStep({ event, context }, limits).outcome !== 'passes') return undefined;
  const { userSub } = login;
  return sessions.hold({ ...session(), userSub, eventId, limits, address, accessEndsAt, isReadOnly });
};

/** If the purchase is missing or unknown, a ticket gives access until the `endsAt` of the ticket check. */
const withTickets = async (
  { tickets }: Pick<GetStreamDependencies, 'tickets'>,
  { login }: Pick<Caller, 'login'>,
  {
    judged,
    readPath,
    judgeHolder,
  }: {
    readonly judged: StreamVerdict;
    /** Called at once, so that the holder of a ticket does not wait for it after the check. */
    readonly readPath: (of: VisibleStream) => Promise<unknown>;
    /** Judges again, because the chain may have taken seconds to answer. */
    readonly judgeHolder: (ticketEndsAt: number) => StreamVerdict;
  },
): Promise<StreamVerdict> => {
  if (judged.outcome !== 'entitlement-unavailable' && judged.outcome !== 'purchase-required') return judged;
  const { event } = judged;
  if (tickets === undefined || login === undefined || event.tickets === undefined) return judged;
  const isEntitlementOut = judged.outcome === 'entitlement-unavailable';
  const [answer] = await Promise.all([
    checkTickets(tickets, { login, event, isEntitlementOut }),
    readPath(judged),
  ]);
  switch (answer.outcome) {
    case 'not-held':
      return judged;
    case 'unavailable':
      return { ...judged, outcome: 'entitlement-unavailable' };
    case 'held':
      return judgeHolder(answer.endsAt);
  }
};

const refusalOf = (verdict: Exclude<StreamVerdict, { readonly outcome: 'playable' }>): Error => {
  switch (verdict.outcome) {
    case 'not-found':
      return new EventNotFoundError();
    case 'country-unavailable':
      return new CountryUnavailableError();
    case 'login-required':
      return new LoginRequiredError();
    case 'purchase-required':
      return new PurchaseRequiredError();
    case 'entitlement-denied':
      return new EntitlementDeniedError();
    case 'entitlement-unavailable':
      return new EntitlementUnavailableError();
    case 'not-available':
      return new StreamNotAvailableError({
        message: 'The stream cannot be played now',
        availableFrom: verdict.availableFrom,
      });
  }
};

interface WrongPath {
  readonly mistakes: readonly string[];
  /** The event whose stream the signature would open, too. */
  readonly opens: string | undefined;
}

/** Why the stream may not be signed. `undefined`: it may. */
const wrongPathOf = async (
  { events, signer: { signing } }: Pick<GetStreamDependencies, 'events' | 'signer'>,
  { event: { id }, stream }: VisibleStream,
): Promise<WrongPath | undefined> => {
  if (signing === 'none') return undefined;
  const mistakes = signedPathMistakes(stream, { signing });
  const signed = signedPathOf(stream, { signing });
  const opens = mistakes.length > 0 ? undefined : await firstOpened({ events }, { id, stream, signed });
  return mistakes.length === 0 && opens === undefined ? undefined : { mistakes, opens };
};

/**
 * Refuses to sign if the signature would also give access to another event's stream. Whoever puts an event refuses such
 * paths, too. This check is for what nobody could judge then: events from before the stage signed playback, events that
 * only a later release can read, events that a restore brought back while others were put beside them, and an index
 * that is late by more than the minute for which `recentPaths` has a path. Only in the first case can the path itself
 * be wrong; in the others, it opens another stream. The simulated worlds of the catalogue have each of the four.
 */
const requireOwnPath = (
  { logger }: Pick<GetStreamDependencies, 'logger'>,
  { id }: PresentEvent,
  wrong: WrongPath | undefined,
): void => {
  if (wrong === undefined) return;
  logger.error('Stream not signed', { code: streamCodes.signedPathRefused, event_id: id, ...wrong });
  throw new StreamNotAvailableError({
    message: `The stream of event ${id} was not signed: its path is invalid, or opens another stream too`,
  });
};

const firstOpened = async (
  { events }: Pick<GetStreamDependencies, 'events'>,
  { id, stream, signed }: { readonly id: string; readonly stream: Stream; readonly signed: SignedPath },
): Promise<string | undefined> => {
  for await (const other of events.streamsUnder(signed)) {
    // Of a stream that only a later release understands, nobody here knows when it can be played.
    const isOpened = other.stream === undefined || overlaps(signed, stream, other.stream);
    if (other.eventId !== id && isOpened) return other.eventId;
  }
  return undefined;
};
