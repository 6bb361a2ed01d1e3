/** Environment variables and dependencies of the account functions. esbuild keeps only what a function uses. */
import * as z from 'zod';
import { oidcEnvironment, type VerifyAccessToken } from '../../shared/platform/auth/access-token.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { type Parsed, resourceName } from '../platform/dependencies.ts';

/** A dependency that is left out is the one that a Lambda function uses. */
interface Around {
  readonly client?: DocumentClient;
  readonly verifyAccessToken?: VerifyAccessToken;
}

/** Of each call about a user's whole account. */
export const accountEnvironment = {
  ...oidcEnvironment,
  ACCOUNT_CLIENTS: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
};

export const accountDependencies = (
  environment: Parsed<typeof accountEnvironment>,
  { verifyAccessToken = environmentsVerifier(environment) }: Around = {},
) => ({ verifyAccessToken, accountClients: environment.ACCOUNT_CLIENTS });

export const previewEnvironment = { ...accountEnvironment, USERS_TABLE: resourceName };

export const previewDependencies = (
  environment: Parsed<typeof previewEnvironment>,
  { client = documentClient(), ...around }: Around = {},
) => ({
  ...accountDependencies(environment, around),
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
});
