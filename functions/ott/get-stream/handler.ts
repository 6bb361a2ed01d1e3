import { streamAnswer } from '../../../shared/ott/http/answers.ts';
import { type EventPath, type StreamQuery, sessionOf } from '../../../shared/ott/http/requests.ts';
import { type GetStreamDependencies, getStream } from '../../../shared/ott/streams/get-stream.ts';
import { type IdentifyCallerDependencies, identifyCaller } from '../../../shared/ott/viewers/caller.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export type Dependencies = GetStreamDependencies & { readonly callers: IdentifyCallerDependencies };

export const getStreamHandler =
  ({ callers, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<EventPath, StreamQuery, undefined>): Promise<HttpResponse> => {
    const caller = await identifyCaller(callers, request);
    const playback = await getStream(dependencies, {
      caller,
      eventId: request.path.event_id,
      session: () => sessionOf(request.query),
      isReadOnly: request.method === 'HEAD',
    });
    const { cookies } = playback.signed;
    return {
      status: 200,
      ...(cookies.length === 0 ? {} : { multiValueHeaders: { 'set-cookie': [...cookies] } }),
      body: streamAnswer(playback),
    };
  };
