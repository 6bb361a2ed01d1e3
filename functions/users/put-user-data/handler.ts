import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { preconditionOf } from '../../../shared/platform/http/preconditions.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { userDataAnswer } from '../../../shared/users/http/answers.ts';
import { etagOf } from '../../../shared/users/http/etag.ts';
import { type PutUserDataDependencies, putUserData } from '../../../shared/users/put-user-data.ts';
import { requireWritable, type UserDataChange } from '../../../shared/users/user-data.ts';

export interface Dependencies extends PutUserDataDependencies {
  readonly applications: Pick<Applications, 'findByClientId'>;
  readonly verifyAccessToken: VerifyAccessToken;
  readonly readOnlyKeys: readonly string[];
  readonly changesPerHour: number;
}

export const putUserDataHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, UserDataChange>): Promise<HttpResponse> => {
    const { applications, verifyAccessToken, readOnlyKeys, changesPerHour } = dependencies;
    const { sub, clientId } = await verifyAccessToken(request.header('authorization'));
    const isAllowed = preconditionOf(request.header);
    const change = request.body;
    requireWritable(change, readOnlyKeys);
    const application = clientId === undefined ? undefined : await applications.findByClientId(clientId);
    const user = await putUserData(dependencies, {
      userSub: sub,
      applicationId: application?.id,
      change,
      changesPerHour,
      isExpected: (before) => isAllowed(before && etagOf(before)),
    });
    return { status: 200, headers: { etag: etagOf(user) }, body: userDataAnswer(user) };
  };
