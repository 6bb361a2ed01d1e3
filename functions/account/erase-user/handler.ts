import { type AccountUserDependencies, accountUser } from '../../../shared/account/account-user.ts';
import { type EraseUserDependencies, eraseUser } from '../../../shared/account/erase-user.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

export interface Dependencies extends AccountUserDependencies, EraseUserDependencies {}

export const eraseUserHandler =
  (dependencies: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    await eraseUser(dependencies, { token: await accountUser(dependencies, request) });
    return { status: 204 };
  };
