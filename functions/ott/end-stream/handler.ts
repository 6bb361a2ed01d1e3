import type { EndStream, EventPath } from '../../../shared/ott/http/requests.ts';
import type { StreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import { type IdentifyCallerDependencies, identifyCaller } from '../../../shared/ott/viewers/caller.ts';
import { InvalidTokenError } from '../../../shared/platform/auth/errors.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies {
  readonly callers: IdentifyCallerDependencies;
  readonly sessions: Pick<StreamSessions, 'end'>;
}

/** Ends one of the viewer's own sessions. The response is the same if the session has no lease. */
export const endStreamHandler =
  ({ callers, sessions }: Dependencies) =>
  async (request: HttpRequest<EventPath, undefined, EndStream>): Promise<HttpResponse> => {
    const missing = new InvalidTokenError({ reason: 'no Authorization header' });
    if (request.header('authorization') === undefined) throw missing;
    const { login } = await identifyCaller(callers, request);
    if (login === undefined) throw missing;
    const { session: sessionId } = request.body;
    // The stream may count for another application than the caller's, so the caller's limit is not looked at.
    const { userSub } = login;
    await sessions.end({ userSub, sessionId, eventId: request.path.event_id });
    return { status: 204 };
  };
