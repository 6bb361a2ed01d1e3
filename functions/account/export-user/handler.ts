import * as z from 'zod';
import { type AccountUserDependencies, accountUser } from '../../../shared/account/account-user.ts';
import { type ExportUserDependencies, exportUser } from '../../../shared/account/export/export-user.ts';
import { exportPageAnswer } from '../../../shared/account/http/export-answers.ts';
import { exportUserOperation } from '../../../shared/account/http/operations.ts';
import type { ExportQuery } from '../../../shared/account/http/requests.ts';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/platform/http/cursor.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { nextLink } from '../../../shared/platform/http/page-query.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import type { Users } from '../../../shared/users/ports/users.ts';

export interface Dependencies extends AccountUserDependencies, ExportUserDependencies {
  readonly users: Pick<Users, 'find'>;
  readonly readCursorSecret: () => Promise<string>;
}

const placeSchema = z.strictObject({ applicationId: z.string(), after: z.string().optional() });

export const exportUserHandler =
  ({ users, readCursorSecret, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<undefined, ExportQuery, undefined>): Promise<HttpResponse> => {
    const { sub: userSub } = await accountUser(dependencies, request);
    const [user, secret] = await Promise.all([users.find(userSub), readCursorSecret()]);
    if (user === undefined) throw new UserNotFoundError();
    // A user who was erased and has come back is another one.
    const scope: CursorScope = { list: 'export', filters: { registration: user.registrationId } };
    const { cursor } = request.query;
    const from = cursor === undefined ? undefined : placeSchema.parse(openCursor({ secret, scope, cursor }));
    const page = await exportUser(dependencies, { user, from });
    const next = page.next && sealCursor({ secret, scope, position: page.next });
    return {
      status: 200,
      headers: nextLink({
        url: `${request.addresses.profile}${exportUserOperation.route}`,
        query: {},
        cursor: next,
      }),
      body: exportPageAnswer(page),
    };
  };
