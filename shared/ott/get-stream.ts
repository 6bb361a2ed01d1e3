import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { streamCodes } from '../watched.ts';
import { type ResolveAudienceDependencies, resolveAudience } from './audience.ts';
import type { Caller } from './caller.ts';
import { decideStream, type StreamVerdict } from './decision.ts';
import {
  EntitlementDeniedError,
  EntitlementUnavailableError,
  EventNotFoundError,
  LoginRequiredError,
  PurchaseRequiredError,
  StreamNotAvailableError,
} from './errors.ts';
import type { Event, Stream } from './event.ts';
import type { EventRepository } from './ports/event-repository.ts';
import type { PlaybackSigner, SignedPlayback } from './ports/playback-signer.ts';
import { overlaps, type SignedPath, signedPathMistakes, signedPathOf } from './signed-path.ts';

export interface GetStreamDependencies {
  readonly audience: ResolveAudienceDependencies;
  readonly events: Pick<EventRepository, 'find' | 'findCounterpart' | 'streamsUnder'>;
  readonly signer: PlaybackSigner;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

/** What a player needs. */
export interface Playback {
  readonly event: Event;
  readonly stream: Stream;
  readonly signed: SignedPlayback;
}

/**
 * What is needed to play an event, for viewers who may.
 *
 * @throws EventNotFoundError; for a visible event LoginRequiredError, PurchaseRequiredError, EntitlementDeniedError,
 * EntitlementUnavailableError or StreamNotAvailableError.
 */
export const getStream = async (
  dependencies: GetStreamDependencies,
  { caller, eventId }: { readonly caller: Caller; readonly eventId: string },
): Promise<Playback> => {
  const { audience, events, signer, clock } = dependencies;
  const [resolved, candidate] = await Promise.all([
    resolveAudience(audience, { caller, eventId }),
    events.find(eventId),
  ]);

  const verdict = decideStream(candidate, resolved, { now: clock() });
  if (verdict.outcome === 'not-found') await events.findCounterpart(candidate);
  if (verdict.outcome !== 'playable') throw refusalOf(verdict);

  const { event, stream, endsAt } = verdict;
  await requireOwnPath(dependencies, event, stream);
  return { event, stream, signed: await signer.sign({ stream, endsAt }) };
};

const refusalOf = (verdict: Exclude<StreamVerdict, { readonly outcome: 'playable' }>): Error => {
  switch (verdict.outcome) {
    case 'not-found':
      return new EventNotFoundError();
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
        message: 'A stream was asked for that is not handed out now',
        availableFrom: verdict.availableFrom,
      });
  }
};

/**
 * A signature must open only its own stream. Imports check that; an overlap that was stored all the same, by a
 * concurrent write or another way, is not signed.
 */
const requireOwnPath = async (
  { events, signer: { signing }, logger }: Pick<GetStreamDependencies, 'events' | 'signer' | 'logger'>,
  { id }: Event,
  stream: Stream,
): Promise<void> => {
  if (signing === 'none') return;
  const mistakes = signedPathMistakes(stream, { signing });
  const signed = signedPathOf(stream, { signing });
  const opened = mistakes.length > 0 ? undefined : await firstOpened({ events }, { id, stream, signed });
  if (mistakes.length === 0 && opened === undefined) return;
  logger.error('Stream not signed', {
    code: streamCodes.signedPathRefused,
    event_id: id,
    mistakes,
    opens: opened,
  });
  throw new StreamNotAvailableError({ message: `What would be signed for ${id} is not its own alone` });
};

/** Another event whose stream the signature would open. */
const firstOpened = async (
  { events }: Pick<GetStreamDependencies, 'events'>,
  { id, stream, signed }: { readonly id: string; readonly stream: Stream; readonly signed: SignedPath },
): Promise<string | undefined> => {
  for await (const other of events.streamsUnder(signed)) {
    if (other.eventId !== id && overlaps(signed, stream, other.stream)) return other.eventId;
  }
  return undefined;
};
