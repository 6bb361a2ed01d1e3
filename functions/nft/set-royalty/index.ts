import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';

import { submitDependencies, transactingEnvironment } from '../../../shared/adapters/nft-dependencies.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { setRoyaltyOperation } from '../../../shared/nft/http/operations.ts';
import { setRoyaltyHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ ...transactingEnvironment, APPLICATIONS_TABLE: z.string().min(1) }),
);
const client = documentClient();

export const handler = operationFunction(
  setRoyaltyOperation,
  setRoyaltyHandler({
    ...submitDependencies(environment, client),
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
  }),
);
