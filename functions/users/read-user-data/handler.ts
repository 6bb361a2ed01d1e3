import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { userDataAnswer } from '../../../shared/users/http/answers.ts';
import { type ReadUserDataDependencies, readUserData } from '../../../shared/users/read-user-data.ts';

type Dependencies = ReadUserDataDependencies & CallingDependencies;

export const readUserDataHandler =
  (dependencies: Dependencies) =>
  async (
    request: HttpRequest<undefined, undefined, { readonly application_user_sub: string }>,
  ): Promise<HttpResponse> => {
    const application = await callingApplication(dependencies.applications, request.apiKeyId);
    const { application_user_sub } = request.body;
    const user = await readUserData(dependencies, { application, applicationUserSub: application_user_sub });
    return { status: 200, body: { application_user_sub, ...userDataAnswer(user) } };
  };
