import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import { userDataAnswer } from '../../../shared/users/http/answers.ts';
import { etagOf } from '../../../shared/users/http/etag.ts';
import type { Users } from '../../../shared/users/ports/users.ts';

export interface Dependencies {
  readonly users: Pick<Users, 'find'>;
  readonly verifyAccessToken: VerifyAccessToken;
}

export const getUserDataHandler =
  ({ users, verifyAccessToken }: Dependencies) =>
  async ({ header }: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    const { sub } = await verifyAccessToken(header('authorization'));
    const user = await users.find(sub);
    if (user === undefined) throw new UserNotFoundError();
    return { status: 200, headers: { etag: etagOf(user) }, body: userDataAnswer(user) };
  };
