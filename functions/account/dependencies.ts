/** Environment variables and dependencies of the account functions. esbuild keeps only what a function uses. */
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { removalIn } from '../../shared/account/store/removals.ts';
import { dynamoDbContracts } from '../../shared/nft/store/contracts.ts';
import { dynamoDbUserClaims } from '../../shared/nft/store/user-claims.ts';
import { dynamoDbEverOwnTokens, dynamoDbUserTokens } from '../../shared/nft/store/user-tokens.ts';
import { sqsFailedChanges } from '../../shared/notifications/aws/failed-changes.ts';
import { sqsQueue } from '../../shared/notifications/aws/queue.ts';
import { dynamoDbSessions } from '../../shared/ott/store/sessions.ts';
import { oidcEnvironment, type VerifyAccessToken } from '../../shared/platform/auth/access-token.ts';
import { logger as functionLogger, type Logger } from '../../shared/platform/logger.ts';
import { isOutage } from '../../shared/platform/outage.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { dynamoDbChallenges } from '../../shared/wallets/store/challenges.ts';
import { dynamoDbWallets } from '../../shared/wallets/store/wallets.ts';
import { historyDependencies, historyEnvironment } from '../nft/reading-dependencies.ts';
import {
  callingApplications,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  positiveNumber,
  resourceName,
} from '../platform/dependencies.ts';

/** A dependency that is left out is the one that a Lambda function uses. */
interface Around {
  readonly client?: DocumentClient;
  readonly clock?: Clock;
  readonly verifyAccessToken?: VerifyAccessToken;
  readonly queue?: typeof sqsQueue;
  readonly logger?: Logger;
  readonly wait?: (milliseconds: number) => Promise<void>;
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

export const previewEnvironment = {
  ...accountEnvironment,
  USERS_TABLE: resourceName,
  SUBS_TABLE: resourceName,
  WALLETS_TABLE: resourceName,
  NFTS_TABLE: resourceName,
  APPLICATIONS_TABLE: resourceName,
  LOG_DAYS: positiveNumber,
  BACKUP_DAYS: positiveNumber,
};

export const previewDependencies = (
  environment: Parsed<typeof previewEnvironment>,
  { client = documentClient(), ...around }: Around = {},
) => ({
  ...accountDependencies(environment, around),
  applications: dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
  subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
  wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
  userTokens: dynamoDbUserTokens({ client, tableName: environment.NFTS_TABLE }),
  keptDays: { logs: environment.LOG_DAYS, backups: environment.BACKUP_DAYS },
});

export const eraseEnvironment = {
  ...accountEnvironment,
  USERS_TABLE: resourceName,
  WALLETS_TABLE: resourceName,
  WITHOUT_AUTH_TIME: z.enum(['refused', 'allowed']),
};

export const eraseDependencies = (
  environment: Parsed<typeof eraseEnvironment>,
  { client = documentClient(), clock = systemClock, ...around }: Around = {},
) => ({
  ...accountDependencies(environment, around),
  users: dynamoDbUsers({
    client,
    tableName: environment.USERS_TABLE,
    walletsTableName: environment.WALLETS_TABLE,
  }),
  clock,
  withoutAuthTime: environment.WITHOUT_AUTH_TIME,
});

export const forgetEnvironment = {
  WALLETS_TABLE: resourceName,
  SUBS_TABLE: resourceName,
  NFTS_TABLE: resourceName,
  TOKEN_HISTORY_TABLE: resourceName,
  FAILED_ERASURES_QUEUE_URL: z.url(),
  TICKET_SECONDS: positiveNumber,
};

export const forgetDependencies = (
  environment: Parsed<typeof forgetEnvironment>,
  {
    client = documentClient(),
    clock = systemClock,
    queue = sqsQueue,
    logger = functionLogger,
    wait = (milliseconds) => setTimeout(milliseconds),
  }: Omit<Around, 'verifyAccessToken'> = {},
) => ({
  wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
  subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
  claims: dynamoDbUserClaims({
    client,
    tableName: environment.NFTS_TABLE,
    historyTableName: environment.TOKEN_HISTORY_TABLE,
  }),
  ticketSeconds: environment.TICKET_SECONDS,
  clock,
  removalIn,
  failedChanges: sqsFailedChanges(
    queue(environment.FAILED_ERASURES_QUEUE_URL, { maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }),
  ),
  isOutage,
  pause: (tried: number) => wait(200 * 2 ** tried),
  logger,
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
