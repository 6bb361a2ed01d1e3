import { contractAnswer } from '../../../shared/nft/http/answers.ts';
import { listContractsOperation } from '../../../shared/nft/http/read-operations.ts';
import type { PageQuery } from '../../../shared/nft/http/read-requests.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { pageAnswer } from '../../../shared/platform/http/page-answer.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';

interface Dependencies extends CallingDependencies {
  readonly contracts: Pick<Contracts, 'list'>;
  readonly readCursorSecret: () => Promise<string>;
}

export const listContractsHandler =
  ({ applications, contracts, readCursorSecret }: Dependencies) =>
  async ({
    apiKeyId,
    query,
    addresses,
  }: HttpRequest<undefined, PageQuery, undefined>): Promise<HttpResponse> => {
    const [{ id: applicationId }, secret] = await Promise.all([
      callingApplication(applications, apiKeyId),
      readCursorSecret(),
    ]);
    return pageAnswer({
      query,
      scope: { list: 'nft-contracts', filters: { application: applicationId } },
      secret,
      url: `${addresses.base}${listContractsOperation.documentedRoute}`,
      read: (page) => contracts.list({ applicationId, ...page }),
      present: contractAnswer,
    });
  };
