import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { ResolveAudience } from '../../../shared/ott/audience.ts';
import type { IdentifyCaller } from '../../../shared/ott/caller.ts';
import { decideEvent } from '../../../shared/ott/decision.ts';
import { EventNotFoundError } from '../../../shared/ott/errors.ts';
import { eventView } from '../../../shared/ott/event.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';

export interface Dependencies {
  readonly identifyCaller: IdentifyCaller;
  readonly resolveAudience: ResolveAudience;
  readonly events: Pick<EventRepository, 'find'>;
}

/** Answers the basic information of one event. What is missing and what is hidden take the same way to a 404. */
export const getEventHandler =
  ({ identifyCaller, resolveAudience, events }: Dependencies) =>
  async (request: HttpRequest<{ event_id: string }, undefined, undefined>): Promise<HttpResponse> => {
    const caller = await identifyCaller(request);
    const [audience, candidate] = await Promise.all([
      resolveAudience(caller),
      events.find(request.path.event_id),
    ]);

    const verdict = decideEvent(candidate, audience);
    if (verdict.outcome === 'not-found') throw new EventNotFoundError();
    return { status: 200, body: eventView(verdict.event) };
  };
