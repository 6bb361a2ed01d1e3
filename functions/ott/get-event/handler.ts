import { type GetEventDependencies, getEvent } from '../../../shared/ott/events/get-event.ts';
import { eventAnswer } from '../../../shared/ott/http/answers.ts';
import type { EventPath } from '../../../shared/ott/http/requests.ts';
import { type IdentifyCallerDependencies, identifyCaller } from '../../../shared/ott/viewers/caller.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export type Dependencies = GetEventDependencies & { readonly callers: IdentifyCallerDependencies };

export const getEventHandler =
  ({ callers, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<EventPath, undefined, undefined>): Promise<HttpResponse> => {
    const caller = await identifyCaller(callers, request);
    const event = await getEvent(dependencies, { caller, eventId: request.path.event_id });
    return { status: 200, body: eventAnswer(event) };
  };
