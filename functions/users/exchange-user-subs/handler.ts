import { askingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/repository.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { ApplicationUserSubs } from '../../../shared/users/application-user-sub.ts';
import { exchangeUserSubs } from '../../../shared/users/exchange-user-subs.ts';
import type { Users } from '../../../shared/users/repository.ts';

export interface Dependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'findMany' | 'ensure'>;
}

export const exchangeUserSubsHandler = ({ applications, ...dependencies }: Dependencies) => {
  const exchange = exchangeUserSubs(dependencies);

  return async ({
    apiKeyId,
    body,
  }: HttpRequest<undefined, undefined, { readonly user_subs: readonly string[] }>): Promise<HttpResponse> => {
    const application = await askingApplication(applications, apiKeyId);
    return { status: 200, body: { user_subs: await exchange(application, body.user_subs) } };
  };
};
