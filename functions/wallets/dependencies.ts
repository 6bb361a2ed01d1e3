/** Environment variables and dependencies of the wallet functions. esbuild keeps only what a function uses. */
import * as z from 'zod';
import { oidcEnvironment } from '../../shared/platform/auth/access-token.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { newRandomId } from '../../shared/platform/random-id.ts';
import { documentClient } from '../../shared/platform/store/client.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { patient } from '../../shared/platform/time/patience.ts';
import type { ContractSignatures } from '../../shared/wallets/ports/contract-signatures.ts';
import { chainContractSignatures } from '../../shared/wallets/rpc/contract-signatures.ts';
import { dynamoDbChallenges } from '../../shared/wallets/store/challenges.ts';
import { dynamoDbWallets } from '../../shared/wallets/store/wallets.ts';
import { chainEnvironment, rpcEndpoints } from '../chain/dependencies.ts';
import { callingApplications, type Parsed, positiveNumber, resourceName } from '../platform/dependencies.ts';
import { type Around, ownUserDependencies, ownUserEnvironment } from '../users/dependencies.ts';

export const walletsEnvironment = { ...ownUserEnvironment, WALLETS_TABLE: resourceName };

export const walletsDependencies = (
  environment: Parsed<typeof walletsEnvironment>,
  { client = documentClient(), ...around }: Around = {},
) => ({
  ...ownUserDependencies(environment, { ...around, client }),
  wallets: dynamoDbWallets({ client, tableName: environment.WALLETS_TABLE }),
});

export const challengeEnvironment = {
  ...walletsEnvironment,
  APPLICATIONS_TABLE: resourceName,
  CHAIN_ID: positiveNumber,
  IS_EMAIL_TRUSTED: z.stringbool(),
};

export const challengeDependencies = (
  environment: Parsed<typeof challengeEnvironment>,
  { client = documentClient(), randomId = newRandomId, ...around }: Around = {},
) => ({
  ...ownUserDependencies(environment, { ...around, client }),
  applications: callingApplications(environment, client, around.clock),
  challenges: dynamoDbChallenges({ client, tableName: environment.WALLETS_TABLE }),
  chainId: environment.CHAIN_ID,
  isEmailTrusted: environment.IS_EMAIL_TRUSTED,
  randomHex: randomId,
});

export const ownWalletsEnvironment = { ...walletsEnvironment, TICKET_SECONDS: positiveNumber };

/** The function that links wallets has no access to the users table. */
export const linkEnvironment = {
  ...oidcEnvironment,
  ...chainEnvironment,
  WALLETS_TABLE: resourceName,
  TICKET_SECONDS: positiveNumber,
};

/**
 * The time limit for one RPC endpoint, and also for all endpoints together. A signature check in a wallet's contract
 * may never end. The first endpoint then uses up all the time, so no second endpoint runs the same check.
 */
const judgementMilliseconds = patient(3_000);

const contractsOf = (environment: Parsed<typeof linkEnvironment>): ContractSignatures =>
  chainContractSignatures(
    rpcEndpoints(environment, {
      requestTimeoutMilliseconds: judgementMilliseconds,
      questionTimeoutMilliseconds: judgementMilliseconds,
    }),
  );

export const linkDependencies = (
  environment: Parsed<typeof linkEnvironment>,
  {
    client = documentClient(),
    clock = systemClock,
    verifyAccessToken = environmentsVerifier(environment),
    contracts = contractsOf(environment),
  }: Omit<Around, 'randomId'> & { readonly contracts?: ContractSignatures } = {},
) => {
  const table = { client, tableName: environment.WALLETS_TABLE };
  return {
    wallets: dynamoDbWallets(table),
    verifyAccessToken,
    clock,
    challenges: dynamoDbChallenges(table),
    contracts,
    ticketSeconds: environment.TICKET_SECONDS,
  };
};
