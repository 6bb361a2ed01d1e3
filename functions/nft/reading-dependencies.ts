/**
 * Environment variables and dependencies of the NFT functions that only read. esbuild keeps only what a function uses.
 *
 * | function | gets |
 * |---|---|
 * | `show-metadata` | `publicMetadata` |
 * | `show-collections` | `collections` |
 * | `get-token-owner` | `tokenOwner` |
 * | `list-user-tokens` | `userTokens` |
 *
 * The others are parts of these. Functions of `ott` and `account` read tokens with them too.
 */
import { chainTokenOwners } from '../../shared/nft/rpc/token-owners.ts';
import { dynamoDbChanges } from '../../shared/nft/store/changes.ts';
import { dynamoDbContracts } from '../../shared/nft/store/contracts.ts';
import { dynamoDbEntries } from '../../shared/nft/store/entries.ts';
import { dynamoDbHistoryLines } from '../../shared/nft/store/history-lines.ts';
import { dynamoDbNfts } from '../../shared/nft/store/nfts.ts';
import { dynamoDbUserTokens } from '../../shared/nft/store/user-tokens.ts';
import { oidcEnvironment } from '../../shared/platform/auth/access-token.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { chainEnvironment, rpcBreakers, rpcEndpoints } from '../chain/dependencies.ts';
import {
  callingApplications,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  resourceName,
} from '../platform/dependencies.ts';

const contractEnvironment = { CONTRACTS_TABLE: resourceName };
export const publicMetadataEnvironment = { ...contractEnvironment, NFTS_TABLE: resourceName };

export const contractDependencies = (
  { CONTRACTS_TABLE: tableName }: Parsed<typeof contractEnvironment>,
  client: DocumentClient,
) => ({ contracts: dynamoDbContracts({ client, tableName }) });

export const publicMetadataDependencies = (
  environment: Parsed<typeof publicMetadataEnvironment>,
  client = documentClient(),
) => ({
  ...contractDependencies(environment, client),
  nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
});

export const tokenReadEnvironment = { ...publicMetadataEnvironment, APPLICATIONS_TABLE: resourceName };

export const tokenReadDependencies = (
  environment: Parsed<typeof tokenReadEnvironment>,
  client = documentClient(),
) => ({
  ...publicMetadataDependencies(environment, client),
  applications: callingApplications(environment, client),
});

export const historyEnvironment = {
  ...publicMetadataEnvironment,
  TRANSACTIONS_TABLE: resourceName,
  TOKEN_HISTORY_TABLE: resourceName,
};

/** What reads tokens, their contracts and their histories. */
export const historyDependencies = (
  { TRANSACTIONS_TABLE, TOKEN_HISTORY_TABLE, ...environment }: Parsed<typeof historyEnvironment>,
  client: DocumentClient,
) => ({
  ...publicMetadataDependencies(environment, client),
  lines: dynamoDbHistoryLines({ client, tableName: TOKEN_HISTORY_TABLE }),
  changes: dynamoDbChanges({ client, tableName: TRANSACTIONS_TABLE }),
  transactionLog: dynamoDbEntries({ client, tableName: TRANSACTIONS_TABLE }),
});

/** What finds the registrations of the users for whom an application reserves tokens. */
export const receiversEnvironment = { USERS_TABLE: resourceName, SUBS_TABLE: resourceName };

export const receiversDependencies = (
  environment: Parsed<typeof receiversEnvironment>,
  client: DocumentClient,
) => ({
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
  subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
});

export const collectionsEnvironment = {
  ...tokenReadEnvironment,
  ...historyEnvironment,
  ...receiversEnvironment,
  ...cursorEnvironment,
};

export const collectionsDependencies = (
  environment: Parsed<typeof collectionsEnvironment>,
  client = documentClient(),
) => ({
  ...tokenReadDependencies(environment, client),
  ...historyDependencies(environment, client),
  ...receiversDependencies(environment, client),
  readCursorSecret: cursorSecretReader(environment),
});

export const tokenOwnerEnvironment = {
  ...tokenReadEnvironment,
  ...chainEnvironment,
  POWERTOOLS_METRICS_NAMESPACE: resourceName,
};

export const tokenOwnerDependencies = (environment: Parsed<typeof tokenOwnerEnvironment>) => ({
  ...tokenReadDependencies(environment),
  owners: chainTokenOwners(rpcEndpoints(environment, { breakerOf: rpcBreakers(environment) })),
});

/**
 * What reads the user of an access token, the application of the token's client, and that application's identifier for
 * the user.
 */
export const ownUserEnvironment = {
  ...oidcEnvironment,
  ...receiversEnvironment,
  APPLICATIONS_TABLE: resourceName,
};

export const userTokensEnvironment = {
  ...ownUserEnvironment,
  ...historyEnvironment,
  ...cursorEnvironment,
};

export const userTokensDependencies = (
  environment: Parsed<typeof userTokensEnvironment>,
  client = documentClient(),
) => ({
  applications: callingApplications(environment, client),
  verifyAccessToken: environmentsVerifier(environment),
  ...receiversDependencies(environment, client),
  ...historyDependencies(environment, client),
  userTokens: dynamoDbUserTokens({ client, tableName: environment.NFTS_TABLE }),
  readCursorSecret: cursorSecretReader(environment),
});
