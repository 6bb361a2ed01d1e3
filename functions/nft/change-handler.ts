import { answerWithKey } from '../../shared/nft/http/answer-with-key.ts';
import type { ContractPath } from '../../shared/nft/http/routes.ts';
import type { Update } from '../../shared/nft/submit/update.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../shared/platform/http/http-function.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import type { HttpRequest } from '../../shared/platform/http/request.ts';

/** Creates the handler of the operation that changes a contract or its tokens with a transaction on the chain. */
export const changeHandler =
  <Dependencies, Path extends ContractPath, Body>(
    { operationId: by }: Pick<Operation<Path, undefined, Body>, 'operationId'>,
    change: (
      dependencies: Dependencies,
      update: Update,
      request: HttpRequest<Path, undefined, Body>,
    ) => Promise<object>,
  ) =>
  (dependencies: Dependencies & CallingDependencies) =>
  async (request: HttpRequest<Path, undefined, Body>): Promise<HttpResponse> => {
    const application = await callingApplication(dependencies.applications, request.apiKeyId);
    const contract = request.path.contract_address;
    return answerWithKey(request, async (idempotency) => ({
      status: 200,
      body: await change(dependencies, { application, by, idempotency, contract }, request),
    }));
  };
