/** Environment variables and dependencies of the account functions. esbuild keeps only what a function uses. */
import * as z from 'zod';
import { dynamoDbContracts } from '../../shared/nft/store/contracts.ts';
import { dynamoDbEverOwnTokens } from '../../shared/nft/store/user-tokens.ts';
import { dynamoDbSessions } from '../../shared/ott/store/sessions.ts';
import { oidcEnvironment, type VerifyAccessToken } from '../../shared/platform/auth/access-token.ts';
import { type Clock, systemClock } from '../../shared/platform/clock.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { dynamoDbChallenges } from '../../shared/wallets/store/challenges.ts';
import { dynamoDbWallets } from '../../shared/wallets/store/wallets.ts';
import { historyDependencies, historyEnvironment } from '../nft/dependencies.ts';
import {
  callingApplications,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  resourceName,
} from '../platform/dependencies.ts';

/** A dependency that is left out is the one that a Lambda function uses. */
interface Around {
  readonly client?: DocumentClient;
  readonly clock?: Clock;
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

export const exportEnvironment = {
  ...accountEnvironment,
  ...historyEnvironment,
  ...cursorEnvironment,
  APPLICATIONS_TABLE: resourceName,
  CONTRACTS_TABLE: resourceName,
  NFTS_TABLE: resourceName,
  SESSIONS_TABLE: resourceName,
  SUBS_TABLE: resourceName,
  USERS_TABLE: resourceName,
  WALLETS_TABLE: resourceName,
};

export const exportDependencies = (
  environment: Parsed<typeof exportEnvironment>,
  { client = documentClient(), clock = systemClock, ...around }: Around = {},
) => ({
  ...accountDependencies(environment, around),
  ...historyDependencies(environment, client),
  applications: callingApplications(environment, client),
  challenges: dynamoDbChallenges({ client, tableName: environment.WALLETS_TABLE }),
  clock,
  contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
  everOwnTokens: dynamoDbEverOwnTokens({
    client,
    tableName: environment.NFTS_TABLE,
    historyTableName: environment.TOKEN_HISTORY_TABLE,
  }),
  readCursorSecret: cursorSecretReader(environment),
  sessions: dynamoDbSessions({ client, tableName: environment.SESSIONS_TABLE }),
  subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
  wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
});
