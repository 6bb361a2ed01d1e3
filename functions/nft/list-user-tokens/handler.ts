import { listUserTokensOperation, userTokenAnswer } from '../../../shared/nft/http/user-operations.ts';
import type { UserTokensQuery } from '../../../shared/nft/http/user-requests.ts';
import type { UserTokens } from '../../../shared/nft/ports/held-tokens.ts';
import { type OwnStandInDependencies, ownStandIn } from '../../../shared/nft/reservations/claim-own.ts';
import {
  type CallingUserDependencies,
  callingUser,
} from '../../../shared/platform/applications/calling-user.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { pageAnswer } from '../../../shared/platform/http/page-answer.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

interface Dependencies extends OwnStandInDependencies, CallingUserDependencies {
  readonly userTokens: UserTokens;
  readonly readCursorSecret: () => Promise<string>;
}

export const listUserTokensHandler =
  ({ userTokens, readCursorSecret, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<undefined, UserTokensQuery, undefined>): Promise<HttpResponse> => {
    const [{ application, userSub }, secret] = await Promise.all([
      callingUser(dependencies, request),
      readCursorSecret(),
    ]);
    const { standIn } = await ownStandIn(dependencies, { application, userSub });
    return pageAnswer({
      query: request.query,
      scope: { list: 'user-tokens', filters: { application: application.id, standIn } },
      secret,
      url: `${request.addresses.profile}${listUserTokensOperation.route}`,
      read: async (page) =>
        standIn === undefined
          ? { items: [] }
          : userTokens.list({ applicationId: application.id, reservedFor: standIn, ...page }),
      present: userTokenAnswer,
    });
  };
