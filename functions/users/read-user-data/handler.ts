import { askingApplication } from '../../../shared/applications/calling-application.ts';
import type { Applications } from '../../../shared/applications/repository.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import type { ApplicationUserSubs } from '../../../shared/users/application-user-sub.ts';
import { readUserData } from '../../../shared/users/read-user-data.ts';
import type { Users } from '../../../shared/users/repository.ts';

export interface Dependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
  readonly users: Pick<Users, 'find'>;
  readonly subs: Pick<ApplicationUserSubs, 'registrationOf' | 'find'>;
}

export const readUserDataHandler = ({ applications, ...dependencies }: Dependencies) => {
  const read = readUserData(dependencies);

  return async ({
    apiKeyId,
    body: { application_user_sub },
  }: HttpRequest<undefined, undefined, { readonly application_user_sub: string }>): Promise<HttpResponse> => {
    const application = await askingApplication(applications, apiKeyId);
    const { user_data, user_agreements } = await read(application, application_user_sub);
    return { status: 200, body: { application_user_sub, user_data, user_agreements } };
  };
};
