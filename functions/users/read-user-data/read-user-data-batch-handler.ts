import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { userDataAnswer } from '../../../shared/users/http/answers.ts';
import {
  type ReadUserDataBatchDependencies,
  readUserDataBatch,
} from '../../../shared/users/read-user-data-batch.ts';

type Dependencies = ReadUserDataBatchDependencies & CallingDependencies;

/**
 * Lambda limits a response to 6 MB of JSON. The body is a string inside this JSON, so each quote in the body takes two
 * bytes.
 */
const usersBytesAtMost = 2_900_000;

export const readUserDataBatchHandler =
  (dependencies: Dependencies) =>
  async (
    request: HttpRequest<undefined, undefined, { readonly application_user_subs: readonly string[] }>,
  ): Promise<HttpResponse> => {
    const application = await callingApplication(dependencies.applications, request.apiKeyId);
    const { application_user_subs } = request.body;
    const users = await readUserDataBatch(dependencies, {
      application,
      applicationUserSubs: application_user_subs,
    });
    let bytes = 0;
    const body = application_user_subs.map((application_user_sub) => {
      const user = users.get(application_user_sub);
      if (user === undefined) return { application_user_sub, error_fields: 'USER_NOT_FOUND' };
      // Not USER_NOT_FOUND, after which the application would delete what it has stored about the user.
      if ('isUnreadable' in user) return { application_user_sub, error_fields: 'READ_AGAIN' };
      const entry = { application_user_sub, ...userDataAnswer(user) };
      bytes += Buffer.byteLength(JSON.stringify(entry));
      return bytes > usersBytesAtMost ? { application_user_sub, error_fields: 'READ_AGAIN' } : entry;
    });
    return { status: 200, body };
  };
