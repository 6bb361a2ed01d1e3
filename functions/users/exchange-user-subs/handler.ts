import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import {
  type ExchangeUserSubsDependencies,
  exchangeUserSubs,
} from '../../../shared/users/exchange-user-subs.ts';

type Dependencies = ExchangeUserSubsDependencies & CallingDependencies;

export const exchangeUserSubsHandler =
  (dependencies: Dependencies) =>
  async (
    request: HttpRequest<undefined, undefined, { readonly user_subs: readonly string[] }>,
  ): Promise<HttpResponse> => {
    const application = await callingApplication(dependencies.applications, request.apiKeyId);
    const exchanged = await exchangeUserSubs(dependencies, { application, userSubs: request.body.user_subs });
    const user_subs = exchanged.map(({ userSub, applicationUserSub }) => ({
      user_sub: userSub,
      application_user_sub: applicationUserSub,
    }));
    return { status: 200, body: { user_subs } };
  };
