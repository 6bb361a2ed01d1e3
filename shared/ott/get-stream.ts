import { type ResolveAudienceDependencies, resolveAudience } from './audience.ts';
import type { Caller } from './caller.ts';
import { decideStream, type StreamVerdict } from './decision.ts';
import {
  EntitlementDeniedError,
  EntitlementUnavailableError,
  EventNotFoundError,
  LoginRequiredError,
  PurchaseRequiredError,
} from './errors.ts';
import type { Event, Stream } from './event.ts';
import type { EventRepository } from './ports/event-repository.ts';
import type { PlaybackSigner, SignedPlayback } from './ports/playback-signer.ts';

export interface GetStreamDependencies {
  readonly audience: ResolveAudienceDependencies;
  readonly events: Pick<EventRepository, 'find'>;
  readonly signer: PlaybackSigner;
}

/** What a player needs. */
export interface Playback {
  readonly event: Event;
  readonly stream: Stream;
  readonly signed: SignedPlayback;
}

const refusals = {
  'not-found': EventNotFoundError,
  'login-required': LoginRequiredError,
  'purchase-required': PurchaseRequiredError,
  'entitlement-denied': EntitlementDeniedError,
  'entitlement-unavailable': EntitlementUnavailableError,
} satisfies Record<Exclude<StreamVerdict['outcome'], 'playable'>, new () => Error>;

/**
 * What is needed to play an event, for those who may.
 *
 * @throws EventNotFoundError, and to whom the event is there LoginRequiredError, PurchaseRequiredError,
 * EntitlementDeniedError or EntitlementUnavailableError.
 */
export const getStream = async (
  { audience, events, signer }: GetStreamDependencies,
  { caller, eventId }: { readonly caller: Caller; readonly eventId: string },
): Promise<Playback> => {
  const [resolved, candidate] = await Promise.all([
    resolveAudience(audience, { caller, eventId }),
    events.find(eventId),
  ]);

  const verdict = decideStream(candidate, resolved);
  if (verdict.outcome !== 'playable') throw new refusals[verdict.outcome]();

  const { event, stream } = verdict;
  return { event, stream, signed: await signer.sign(stream) };
};
