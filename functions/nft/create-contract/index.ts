import * as z from 'zod';
import { dynamoDbApplications } from '../../../shared/adapters/dynamodb/applications.ts';
import { documentClient } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoDbContracts } from '../../../shared/adapters/dynamodb/contracts.ts';
import {
  randomSalt,
  submitDependencies,
  transactingEnvironment,
} from '../../../shared/adapters/nft-dependencies.ts';
import { cachedApplications } from '../../../shared/applications/cached.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation-function.ts';
import { createContractOperation } from '../../../shared/nft/http/operations.ts';
import { createContractHandler } from './handler.ts';

const environment = parseEnvironment(
  z.object({ ...transactingEnvironment, APPLICATIONS_TABLE: z.string().min(1), PUBLIC_BASE_URL: z.url() }),
);
export type Environment = typeof environment;
const client = documentClient();
const applications = dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE });

export const handler = operationFunction(
  createContractOperation,
  createContractHandler({
    ...submitDependencies(environment, client),
    applications: { ...cachedApplications(applications), assignSigner: applications.assignSigner },
    contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
    randomSalt,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
  }),
);
