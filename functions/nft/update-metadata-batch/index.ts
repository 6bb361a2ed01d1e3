import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';
import { dynamoDbNfts } from '../../../shared/adapters/dynamodb/nfts.ts';
import { submitDependencies, transactingEnvironment } from '../../../shared/adapters/nft-dependencies.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { updateMetadataBatchOperation } from '../../../shared/nft/http/operations.ts';
import { updateMetadataBatchHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ ...transactingEnvironment, APPLICATIONS_TABLE: z.string().min(1) }),
);
const client = documentClient();

export const handler = operationFunction(
  updateMetadataBatchOperation,
  updateMetadataBatchHandler({
    ...submitDependencies(environment, client),
    applications: cachedApplications(
      dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
    ),
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  }),
);
