import * as z from 'zod';
import { cachedApplications } from '../applications/cached.ts';
import { dynamoDbApplications } from './dynamodb/applications.ts';
import type { DocumentClient } from './dynamodb/client.ts';
import { dynamoDbContracts } from './dynamodb/contracts.ts';

/** The environment of every function that shows an application its own things. */
export const nftReadEnvironment = {
  CONTRACTS_TABLE: z.string().min(1),
  APPLICATIONS_TABLE: z.string().min(1),
};

/** The caller's application, and the contracts. */
export const nftReadDependencies = (
  environment: z.output<z.ZodObject<typeof nftReadEnvironment>>,
  client: DocumentClient,
) => ({
  applications: cachedApplications(
    dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  ),
  contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
});
