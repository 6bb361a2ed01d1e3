import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { ResolveAudience } from '../../../shared/ott/audience.ts';
import type { IdentifyCaller } from '../../../shared/ott/caller.ts';
import { decideStream, type StreamVerdict } from '../../../shared/ott/decision.ts';
import {
  EntitlementDeniedError,
  EntitlementUnavailableError,
  EventNotFoundError,
  LoginRequiredError,
  PurchaseRequiredError,
} from '../../../shared/ott/errors.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import type { PlaybackSigner } from '../../../shared/ott/ports/playback-signer.ts';

export interface Dependencies {
  readonly identifyCaller: IdentifyCaller;
  readonly resolveAudience: ResolveAudience;
  readonly events: Pick<EventRepository, 'find'>;
  readonly signer: PlaybackSigner;
}

const refusals = {
  'not-found': EventNotFoundError,
  'login-required': LoginRequiredError,
  'purchase-required': PurchaseRequiredError,
  'entitlement-denied': EntitlementDeniedError,
  'entitlement-unavailable': EntitlementUnavailableError,
} satisfies Record<Exclude<StreamVerdict['outcome'], 'playable'>, new () => Error>;

/** Answers what a player needs, to those who may play. */
export const getStreamHandler =
  ({ identifyCaller, resolveAudience, events, signer }: Dependencies) =>
  async (request: HttpRequest<{ event_id: string }, undefined, undefined>): Promise<HttpResponse> => {
    const eventId = request.path.event_id;
    const caller = await identifyCaller(request);
    const [audience, candidate] = await Promise.all([
      resolveAudience(caller, { eventId }),
      events.find(eventId),
    ]);

    const verdict = decideStream(candidate, audience);
    if (verdict.outcome !== 'playable') throw new refusals[verdict.outcome]();

    const { url, expiresAt, cookies } = await signer.sign(verdict.stream);
    return {
      status: 200,
      ...(cookies.length === 0 ? {} : { multiValueHeaders: { 'set-cookie': [...cookies] } }),
      body: { event_id: verdict.event.id, type: verdict.stream.type, url, expires_at: expiresAt },
    };
  };
