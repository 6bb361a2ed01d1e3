import type { Applications } from '../../../shared/applications/repository.ts';
import type { VerifyAccessToken } from '../../../shared/auth/access-token.ts';
import type { HttpResponse } from '../../../shared/http/http-function.ts';
import type { HttpRequest } from '../../../shared/http/request.ts';
import { type PutUserDataDependencies, putUserData } from '../../../shared/users/put-user-data.ts';
import type { UserDataChange } from '../../../shared/users/user-data.ts';

export interface Dependencies extends PutUserDataDependencies {
  readonly applications: Pick<Applications, 'findByClientId'>;
  readonly verifyAccessToken: VerifyAccessToken;
}

export const putUserDataHandler = ({ applications, verifyAccessToken, ...dependencies }: Dependencies) => {
  const put = putUserData(dependencies);

  return async ({
    header,
    body,
  }: HttpRequest<undefined, undefined, UserDataChange>): Promise<HttpResponse> => {
    const { sub, clientId } = await verifyAccessToken(header('authorization'));
    const application = clientId === undefined ? undefined : await applications.findByClientId(clientId);
    const user = await put({ userSub: sub, applicationId: application?.id, change: body });
    return { status: 200, body: { user_data: user.user_data, user_agreements: user.user_agreements } };
  };
};
