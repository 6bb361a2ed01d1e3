import { replayAnswer } from '../../../shared/notifications/http/replay-answers.ts';
import type { StartReplayBody } from '../../../shared/notifications/http/requests.ts';
import {
  type StartReplayDependencies,
  startReplay,
} from '../../../shared/notifications/replay/start-replay.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { answerRepeatable, idempotencyKeyOf } from '../../../shared/platform/http/idempotency-key.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

type Dependencies = StartReplayDependencies & CallingDependencies;

export const startReplayHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, StartReplayBody>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(dependencies.applications, request.apiKeyId);
    const { body, header } = request;
    return answerRepeatable(async (onRepeated) => {
      const replay = await startReplay(dependencies, {
        order: {
          applicationId,
          from: Date.parse(body.from),
          to: Date.parse(body.to),
          status: body.status,
          endpointId: body.endpoint_id,
        },
        key: idempotencyKeyOf(header),
        onRepeated,
      });
      return { status: 202, body: replayAnswer(replay) };
    });
  };
