import {
  type CallingDependencies,
  callingApplication,
} from '../../shared/applications/calling-application.ts';
import type { HttpResponse } from '../../shared/http/http-function.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { idempotencyOf } from '../../shared/nft/http/idempotency.ts';
import type { ContractPath } from '../../shared/nft/http/routes.ts';
import type { Update } from '../../shared/nft/submit/update.ts';

/** Creates the handler of an operation that changes a contract or its tokens with a transaction on the chain. */
export const changeHandler =
  <Dependencies, Path extends ContractPath, Body>(
    change: (
      dependencies: Dependencies,
      update: Update,
      request: HttpRequest<Path, undefined, Body>,
    ) => Promise<object>,
  ) =>
  (dependencies: Dependencies & CallingDependencies) =>
  async (request: HttpRequest<Path, undefined, Body>): Promise<HttpResponse> => {
    const update = {
      application: await callingApplication(dependencies.applications, request.apiKeyId),
      idempotency: idempotencyOf(request),
      contract: request.path.contract_address,
    };
    return { status: 200, body: await change(dependencies, update, request) };
  };
