import { answerWithKey } from '../../../shared/nft/http/answer-with-key.ts';
import { nftBatchAnswer } from '../../../shared/nft/http/answers.ts';
import { type MintBatch, receiversOf, requireOtherOwner } from '../../../shared/nft/http/requests.ts';
import type { ContractPath } from '../../../shared/nft/http/routes.ts';
import { refuseStandIns } from '../../../shared/nft/reservations/refuse-stand-ins.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { type IssueDependencies, issueTokens } from '../issue-tokens.ts';

type Dependencies = IssueDependencies & CallingDependencies;

export const mintBatchHandler =
  ({ applications, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<ContractPath, undefined, MintBatch>): Promise<HttpResponse> => {
    const application = await callingApplication(applications, request.apiKeyId);
    const { contract_address: contract } = request.path;
    const { tokens } = request.body;
    const destinations = tokens.map(
      ({ destination }, index) => [`tokens[${index}].destination`, destination] as const,
    );
    requireOtherOwner(contract, destinations);
    await refuseStandIns(dependencies, { application, destinations });
    const receivers = receiversOf(tokens);
    return answerWithKey(request, async (idempotency) => {
      const nfts = await issueTokens(dependencies, { application, idempotency, contract, receivers });
      return { status: 201, body: nftBatchAnswer(nfts) };
    });
  };
