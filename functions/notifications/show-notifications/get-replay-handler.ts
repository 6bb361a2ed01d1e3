import { ReplayNotFoundError } from '../../../shared/notifications/errors.ts';
import { replayAnswer } from '../../../shared/notifications/http/replay-answers.ts';
import type { ReplayPath } from '../../../shared/notifications/http/requests.ts';
import type { Replays } from '../../../shared/notifications/ports/replays.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { isRandomId } from '../../../shared/platform/random-id.ts';

interface Dependencies extends CallingDependencies {
  readonly replays: Pick<Replays, 'find'>;
}

export const getReplayHandler =
  ({ applications, replays }: Dependencies) =>
  async ({ apiKeyId, path }: HttpRequest<ReplayPath, undefined, undefined>): Promise<HttpResponse> => {
    const { id: applicationId } = await callingApplication(applications, apiKeyId);
    const replay = isRandomId(path.id) ? await replays.find({ applicationId, id: path.id }) : undefined;
    if (replay === undefined) throw new ReplayNotFoundError();
    return { status: 200, body: replayAnswer(replay) };
  };
