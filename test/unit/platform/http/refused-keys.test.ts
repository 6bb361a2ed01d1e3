import { describe, expect, it } from 'vitest';
import { createContractHandler } from '../../../../functions/nft/create-contract/handler.ts';
import { mintBatchHandler } from '../../../../functions/nft/mint-batch/handler.ts';
import { mintTokenHandler } from '../../../../functions/nft/mint-token/handler.ts';
import { setTokenDestinationHandler } from '../../../../functions/nft/mint-token/set-destination-handler.ts';
import { setRoyaltyHandler } from '../../../../functions/nft/set-royalty/handler.ts';
import { updateContractMetadataHandler } from '../../../../functions/nft/update-contract-metadata/handler.ts';
import { updateMetadataBatchHandler } from '../../../../functions/nft/update-metadata-batch/handler.ts';
import { updateTokenMetadataHandler } from '../../../../functions/nft/update-token-metadata/handler.ts';
import { sendTestHandler } from '../../../../functions/notifications/send-notifications/send-test-handler.ts';
import { startReplayHandler } from '../../../../functions/notifications/send-notifications/start-replay-handler.ts';
import { exchangeUserSubsHandler } from '../../../../functions/users/exchange-user-subs/handler.ts';
import { readUserDataHandler } from '../../../../functions/users/read-user-data/handler.ts';
import { readUserDataBatchHandler } from '../../../../functions/users/read-user-data/read-user-data-batch-handler.ts';
import type { HttpResponse } from '../../../../shared/platform/http/http-function.ts';
import type { Operation } from '../../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../../shared/platform/http/operation-function.ts';
import { operations } from '../../../../tools/openapi/operations.ts';
import { aContext, anApiEvent } from '../../../support/ott/api-event.ts';

/** The handlers of the operations that have a body and that a customer's key opens. */
const handlers = {
  createContract: createContractHandler,
  mintToken: mintTokenHandler,
  mintBatch: mintBatchHandler,
  setTokenDestination: setTokenDestinationHandler,
  setRoyalty: setRoyaltyHandler,
  updateContractMetadata: updateContractMetadataHandler,
  updateMetadataBatch: updateMetadataBatchHandler,
  updateTokenMetadata: updateTokenMetadataHandler,
  sendTestNotification: sendTestHandler,
  startReplay: startReplayHandler,
  exchangeUserSubs: exchangeUserSubsHandler,
  readUserData: readUserDataHandler,
  readUserDataBatch: readUserDataBatchHandler,
} as unknown as Readonly<
  Record<string, (dependencies: unknown) => (request: unknown) => Promise<HttpResponse>>
>;

const withBody = operations.filter(({ security, body }) => security === 'api-key' && body !== undefined);

describe('a wrong body sent with a key that belongs to no application', () => {
  it.each(withBody.map((operation) => [operation.operationId, operation] as const))(
    'is refused because of the key by %s',
    async (id, operation: Operation) => {
      const applications = { findByApiKeyId: async () => undefined };
      const serve = operationFunction(operation, (request) => {
        const handler = handlers[id];
        if (handler === undefined) throw new RangeError(`${id} is not in the list`);
        return handler({ applications })(request);
      });
      const path = { contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', id: '1' };

      const answer = await serve(anApiEvent({ method: operation.method, path, body: {} }), aContext());

      expect(answer).toMatchObject({ statusCode: 403 });
    },
  );
});
