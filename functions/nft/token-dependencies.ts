/**
 * Environment variables and dependencies of the NFT functions that issue, change or claim tokens. esbuild keeps only what a
 * function uses.
 *
 * | function | gets |
 * |---|---|
 * | `mint-token` (also gives reserved tokens to others) | `giving` |
 * | `mint-batch` | `issuing` |
 * | `update-token-metadata`, `update-metadata-batch`, `revoke-token` | `tokenCall` |
 * | `claim-token` | `ownClaim` |
 *
 * The others are parts of these. Those of `ott` that void tokens take `tokenChange` from here.
 */
import { dynamoDbNfts } from '../../shared/nft/store/nfts.ts';
import { dynamoDbReservations, dynamoDbReservedChanges } from '../../shared/nft/store/reservations.ts';
import { cachedContracts } from '../../shared/nft/submit/cached-contracts.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import type { DocumentClient } from '../../shared/platform/store/client.ts';
import { dynamoDbWallets } from '../../shared/wallets/store/wallets.ts';
import { type Parsed, resourceName, wholeNumber } from '../platform/dependencies.ts';
import { ownUserEnvironment, receiversDependencies, receiversEnvironment } from './reading-dependencies.ts';
import {
  lambdaSurroundings,
  paidCallDependencies,
  paidCallEnvironment,
  type Surroundings,
  type TransactingStage,
} from './transacting-dependencies.ts';

/** What changes reserved tokens, and tells their history of it. */
export const tokenChangeEnvironment = { TOKEN_HISTORY_TABLE: resourceName };

export const tokenCallEnvironment = { ...paidCallEnvironment, ...tokenChangeEnvironment };

export const tokenCallDependencies = (
  environment: Parsed<typeof tokenCallEnvironment>,
  around: Surroundings = lambdaSurroundings(environment),
) => ({
  ...paidCallDependencies(environment, around),
  reservations: reservedChanges(environment, around.client),
  nfts: dynamoDbNfts({ client: around.client, tableName: environment.NFTS_TABLE }),
});

type ReservingStage = Pick<TransactingStage, 'NFTS_TABLE' | 'REQUESTS_TABLE'>;

const reservations = (
  { NFTS_TABLE: nfts, REQUESTS_TABLE: requests }: ReservingStage,
  client: DocumentClient,
) => dynamoDbReservations({ client, tables: { nfts, requests } });

const reservedChanges = (
  {
    NFTS_TABLE: nfts,
    REQUESTS_TABLE: requests,
    TOKEN_HISTORY_TABLE: history,
  }: ReservingStage & Parsed<typeof tokenChangeEnvironment>,
  client: DocumentClient,
) => dynamoDbReservedChanges({ client, tables: { nfts, requests, history } });

/** All writes of reserved tokens. */
export const reservingDependencies = (...stage: Parameters<typeof reservedChanges>) => ({
  reservations: { ...reservations(...stage), ...reservedChanges(...stage) },
});

export const issuingEnvironment = { ...paidCallEnvironment, ...receiversEnvironment };

export const issuingDependencies = (
  environment: Parsed<typeof issuingEnvironment>,
  around: Surroundings = lambdaSurroundings(environment),
) => {
  const dependencies = paidCallDependencies(environment, around);
  return {
    ...dependencies,
    ...receiversDependencies(environment, around.client),
    nfts: dynamoDbNfts({ client: around.client, tableName: environment.NFTS_TABLE }),
    reservations: reservations(environment, around.client),
    contracts: cachedContracts({
      contracts: dependencies.contracts,
      clock: dependencies.clock,
      lifetimeMilliseconds: environment.BLOCK_MILLISECONDS,
    }),
  };
};

export const givingEnvironment = {
  ...issuingEnvironment,
  ...tokenChangeEnvironment,
  /** Says whether the user of a token that is minted to an address has been removed. */
  WALLETS_TABLE: resourceName,
};

/** What issues tokens, and gives reserved ones to others. */
export const givingDependencies = (
  environment: Parsed<typeof givingEnvironment>,
  around: Surroundings = lambdaSurroundings(environment),
) => ({
  ...issuingDependencies(environment, around),
  ...reservingDependencies(environment, around.client),
});

const claimingUserEnvironment = {
  ...paidCallEnvironment,
  ...receiversEnvironment,
  WALLETS_TABLE: resourceName,
  CLAIM_AFTER_SECONDS: wholeNumber,
  CLAIMS_PER_DAY: wholeNumber,
};

export const ownClaimEnvironment = { ...claimingUserEnvironment, ...ownUserEnvironment };

/** What a user's claim of a reserved token needs, except for the verification of the access token. */
export const claimingUserDependencies = (
  environment: Parsed<typeof claimingUserEnvironment>,
  around: Surroundings,
) => ({
  ...paidCallDependencies(environment, around),
  ...receiversDependencies(environment, around.client),
  nfts: dynamoDbNfts({ client: around.client, tableName: environment.NFTS_TABLE }),
  wallets: dynamoDbWallets({ client: around.client, tableName: environment.WALLETS_TABLE }),
  claimAfterSeconds: environment.CLAIM_AFTER_SECONDS,
  claimsPerDay: environment.CLAIMS_PER_DAY,
});

export const ownClaimDependencies = (environment: Parsed<typeof ownClaimEnvironment>) => ({
  ...claimingUserDependencies(environment, lambdaSurroundings(environment)),
  verifyAccessToken: environmentsVerifier(environment),
});
