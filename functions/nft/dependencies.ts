/** Environment variables and dependencies of the NFT functions. esbuild keeps only what a function uses. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { Hex } from '../../shared/chain/hex.ts';
import { rpcSecret } from '../../shared/chain/rpc/rpc-secret.ts';
import { stepFunctions, stepFunctionsExecutions } from '../../shared/nft/aws/executions.ts';
import { kmsKeyRing } from '../../shared/nft/aws/kms-signer.ts';
import { metricEvents } from '../../shared/nft/aws/metrics.ts';
import type { Executions } from '../../shared/nft/ports/executions.ts';
import type { Gauges, MetricEvents, StageGauges } from '../../shared/nft/ports/metrics.ts';
import { balances } from '../../shared/nft/rpc/balances.ts';
import { type PolygonChainOptions, polygonChain } from '../../shared/nft/rpc/chain.ts';
import { minedCounts } from '../../shared/nft/rpc/mined-counts.ts';
import { silentEndpoints } from '../../shared/nft/rpc/silent-endpoints.ts';
import { chainTokenOwners } from '../../shared/nft/rpc/token-owners.ts';
import { dynamoDbChanges } from '../../shared/nft/store/changes.ts';
import { dynamoDbClaimLeases } from '../../shared/nft/store/claim-leases.ts';
import { dynamoDbContracts } from '../../shared/nft/store/contracts.ts';
import { dynamoDbDailyCounts } from '../../shared/nft/store/daily-counts.ts';
import { dynamoDbEntries } from '../../shared/nft/store/entries.ts';
import { dynamoDbHistoryLines } from '../../shared/nft/store/history-lines.ts';
import { dynamoDbHolds } from '../../shared/nft/store/holds.ts';
import { signerInRecord } from '../../shared/nft/store/log-records.ts';
import { dynamoDbNfts } from '../../shared/nft/store/nfts.ts';
import { dynamoDbReservations, dynamoDbReservedChanges } from '../../shared/nft/store/reservations.ts';
import { dynamoDbSigners } from '../../shared/nft/store/signers.ts';
import { dynamoDbSupplies } from '../../shared/nft/store/supplies.ts';
import { dynamoDbTransactionLog } from '../../shared/nft/store/transactions.ts';
import { dynamoDbUserTokens } from '../../shared/nft/store/user-tokens.ts';
import { backpressure } from '../../shared/nft/submit/backpressure.ts';
import { cachedContracts } from '../../shared/nft/submit/cached-contracts.ts';
import { cachedSigners } from '../../shared/nft/submit/cached-signers.ts';
import type { KeyRing } from '../../shared/nft/transactions/key-ring.ts';
import { fundsGuard } from '../../shared/nft/transactions/signer-funds.ts';
import { oidcEnvironment } from '../../shared/platform/auth/access-token.ts';
import { kmsClient } from '../../shared/platform/aws/kms-client.ts';
import { type SecretsClient, secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { type Logger, logger } from '../../shared/platform/logger.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { jitteredPause, type Pause } from '../../shared/platform/time/backoff.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { dynamoDbWallets } from '../../shared/wallets/store/wallets.ts';
import { chainEnvironment, rpcBreakers, rpcEndpoints } from '../chain/dependencies.ts';
import {
  callingApplications,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  resourceName,
  wholeNumber,
} from '../platform/dependencies.ts';

const contractEnvironment = { CONTRACTS_TABLE: resourceName };
export const publicMetadataEnvironment = { ...contractEnvironment, NFTS_TABLE: resourceName };

const contractDependencies = (
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

const wei = z.string().regex(/^\d+$/).transform(BigInt);

const finalitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag') }),
  z.object({ kind: z.literal('confirmations'), blocks: z.int() }),
]);

export const transactingEnvironment = {
  CONTRACTS_TABLE: resourceName,
  NFTS_TABLE: resourceName,
  TRANSACTIONS_TABLE: resourceName,
  SIGNERS_TABLE: resourceName,
  REQUESTS_TABLE: resourceName,
  ...chainEnvironment,
  CHAIN_FINALITY: z.string().transform((text) => finalitySchema.parse(JSON.parse(text))),
  BLOCK_MILLISECONDS: wholeNumber,
  SIGNER_KEY_IDS: z
    .string()
    .min(1)
    .transform((text) => text.split(',')),
  IN_FLIGHT_CAP: wholeNumber,
  FEE_CEILING_WEI: wei,
  /** 0 means no cap, as in geth. */
  ENDPOINT_FEE_CAP_WEI: wei.transform((cap) => (cap === 0n ? undefined : cap)),
  MINIMUM_TIP_WEI: wei,
  POWERTOOLS_METRICS_NAMESPACE: resourceName,
};

export type TransactingStage = Omit<Parsed<typeof transactingEnvironment>, 'POWERTOOLS_METRICS_NAMESPACE'> & {
  /** Only of functions that claim reserved tokens. */
  readonly WALLETS_TABLE?: string;
};

/** Everything outside of a function that works with transactions: services, time and randomness. */
export interface Surroundings<Told extends MetricEvents = MetricEvents>
  extends Pick<PolygonChainOptions, 'breakerOf' | 'exchange'> {
  readonly client: DocumentClient;
  readonly secrets: SecretsClient;
  readonly keys: KeyRing;
  readonly events: Told;
  readonly logger: Logger;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default randomUUID */
  readonly randomId?: () => string;
  /** @default jitteredPause */
  readonly pause?: Pause;
}

export const logDependencies = (
  stage: Pick<
    TransactingStage,
    | 'CONTRACTS_TABLE'
    | 'NFTS_TABLE'
    | 'TRANSACTIONS_TABLE'
    | 'SIGNERS_TABLE'
    | 'REQUESTS_TABLE'
    | 'WALLETS_TABLE'
  >,
  client: DocumentClient,
  pause?: Pause,
) => ({
  signers: dynamoDbSigners({ client, tableName: stage.SIGNERS_TABLE }),
  transactionLog: dynamoDbTransactionLog({
    client,
    pause,
    tables: {
      contracts: stage.CONTRACTS_TABLE,
      nfts: stage.NFTS_TABLE,
      transactions: stage.TRANSACTIONS_TABLE,
      requests: stage.REQUESTS_TABLE,
      wallets: stage.WALLETS_TABLE,
    },
  }),
});

export const supplyDependencies = (
  { NFTS_TABLE: tableName }: Pick<TransactingStage, 'NFTS_TABLE'>,
  client: DocumentClient,
) => ({ supplies: dynamoDbSupplies({ client, tableName }) });

export const holdingDependencies = (
  { REQUESTS_TABLE: tableName }: Pick<TransactingStage, 'REQUESTS_TABLE'>,
  client: DocumentClient,
) => ({
  holds: dynamoDbHolds({ client, tableName }),
  leases: dynamoDbClaimLeases({ client, tableName }),
  counts: dynamoDbDailyCounts({ client, tableName }),
});

export const transactingDependencies = <Told extends MetricEvents>(
  stage: TransactingStage,
  {
    client,
    secrets,
    keys,
    breakerOf,
    exchange,
    events,
    logger,
    clock = systemClock,
    randomId = randomUUID,
    pause = jitteredPause,
  }: Surroundings<Told>,
) => {
  const { CHAIN_ID: chainId, BLOCK_MILLISECONDS: blockTimeMilliseconds } = stage;
  return {
    ...logDependencies(stage, client, pause),
    ...supplyDependencies(stage, client),
    chain: polygonChain({
      chainId,
      urls: rpcSecret({ client: secrets, secretId: stage.CHAIN_SECRET_ARN, clock }),
      clock,
      finality: stage.CHAIN_FINALITY,
      minimumPriorityFeePerGas: stage.MINIMUM_TIP_WEI,
      blockTimeMilliseconds,
      breakerOf,
      exchange,
    }),
    keys,
    events,
    logger,
    clock,
    randomId,
    pause,
    settings: {
      inFlightCap: stage.IN_FLIGHT_CAP,
      feeCeiling: stage.FEE_CEILING_WEI,
      endpointFeeCap: stage.ENDPOINT_FEE_CAP_WEI,
      feeLifetimeMilliseconds: 2 * blockTimeMilliseconds,
    },
  };
};

/**
 * The dependencies that decide whether a request is accepted: they check its idempotency key, the daily limit, and the
 * signer's funds.
 */
export const admittingDependencies = (
  stage: Pick<TransactingStage, 'REQUESTS_TABLE'>,
  { client, ...signer }: Parameters<typeof fundsGuard>[0] & { readonly client: DocumentClient },
) => ({
  ...holdingDependencies(stage, client),
  requireFunds: fundsGuard(signer),
});

/** The surroundings of a Lambda function. */
const lambdaSurroundings = (environment: Parsed<typeof transactingEnvironment>) => ({
  client: documentClient(),
  secrets: secretsClient(),
  keys: kmsKeyRing({
    client: kmsClient(),
    keyIds: environment.SIGNER_KEY_IDS,
    chainId: environment.CHAIN_ID,
  }),
  breakerOf: rpcBreakers(environment),
  events: metricEvents({ logger, namespace: environment.POWERTOOLS_METRICS_NAMESPACE }),
  logger,
});

export const paidCallEnvironment = { ...transactingEnvironment, APPLICATIONS_TABLE: resourceName };

export const paidCallDependencies = (
  environment: Parsed<typeof paidCallEnvironment>,
  around: Surroundings = lambdaSurroundings(environment),
) => {
  const { client } = around;
  const transacting = transactingDependencies(environment, around);
  const { clock } = transacting;
  return {
    ...transacting,
    ...admittingDependencies(environment, { ...transacting, client }),
    ...contractDependencies(environment, client),
    applications: callingApplications(environment, client, clock),
    signers: cachedSigners({
      signers: transacting.signers,
      clock,
      lifetimeMilliseconds: environment.BLOCK_MILLISECONDS,
    }),
    backpressure: backpressure(clock),
  };
};

export const deployDependencies = (
  environment: Parsed<typeof paidCallEnvironment>,
  around: Surroundings = lambdaSurroundings(environment),
) => {
  const { client } = around;
  const dependencies = paidCallDependencies(environment, around);
  const { assignSigner } = dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE });
  return {
    ...dependencies,
    applications: { ...dependencies.applications, assignSigner },
    randomSalt: (): Hex => `0x${randomBytes(32).toString('hex')}`,
  };
};

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

/**
 * What reads the user of an access token, the application of the token's client, and that application's identifier for
 * the user.
 */
const ownUserEnvironment = { ...oidcEnvironment, ...receiversEnvironment, APPLICATIONS_TABLE: resourceName };

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

const executionsOf = ({ STATE_MACHINE_ARN: stateMachineArn }: { readonly STATE_MACHINE_ARN: string }) =>
  stepFunctionsExecutions({ client: stepFunctions(), stateMachineArn });

export const waiterEnvironment = {
  ...transactingEnvironment,
  STATE_MACHINE_ARN: resourceName,
  PASS_MILLISECONDS: wholeNumber,
  REPLACE_AFTER_MILLISECONDS: wholeNumber,
};

/** What is outside of the waiter, besides what is outside of every function: what only the waiter needs. */
interface WaiterSurroundings extends Surroundings<MetricEvents & Gauges> {
  readonly executions: Executions;
  readonly wait: (milliseconds: number) => Promise<void>;
}

const waiterSurroundings = (environment: Parsed<typeof waiterEnvironment>): WaiterSurroundings => ({
  ...lambdaSurroundings(environment),
  executions: executionsOf(environment),
  wait: async (milliseconds) => {
    await setTimeout(milliseconds);
  },
});

export const waiterDependencies = (
  environment: Parsed<typeof waiterEnvironment>,
  around: WaiterSurroundings = waiterSurroundings(environment),
) => ({
  ...transactingDependencies(environment, around),
  nfts: dynamoDbNfts({ client: around.client, tableName: environment.NFTS_TABLE }),
  executions: around.executions,
  wait: around.wait,
  passMilliseconds: environment.PASS_MILLISECONDS,
  roundMilliseconds: environment.BLOCK_MILLISECONDS,
  replaceAfterMilliseconds: environment.REPLACE_AFTER_MILLISECONDS,
});

export const signerWatchEnvironment = {
  ...chainEnvironment,
  SIGNERS_TABLE: resourceName,
  TRANSACTIONS_TABLE: resourceName,
  STATE_MACHINE_ARN: resourceName,
  POWERTOOLS_METRICS_NAMESPACE: resourceName,
};

interface WatchSurroundings
  extends Omit<Surroundings, 'keys' | 'events' | 'breakerOf' | 'pause'>,
    Pick<WaiterSurroundings, 'executions'> {
  readonly events: StageGauges;
}

const watchSurroundings = (environment: Parsed<typeof signerWatchEnvironment>): WatchSurroundings => ({
  client: documentClient(),
  secrets: secretsClient(),
  executions: executionsOf(environment),
  events: metricEvents({ logger, namespace: environment.POWERTOOLS_METRICS_NAMESPACE }),
  logger,
});

export const signerWatchDependencies = (
  environment: Parsed<typeof signerWatchEnvironment>,
  around: WatchSurroundings = watchSurroundings(environment),
) => {
  const { client, secrets, exchange, events, logger, clock = systemClock, randomId = randomUUID } = around;
  const endpoints = rpcEndpoints(environment, {
    secrets,
    clock,
    exchange,
  });
  return {
    chain: {
      chainId: environment.CHAIN_ID,
      minedCounts: minedCounts(endpoints),
      balances: balances(endpoints),
      silentEndpoints: silentEndpoints(endpoints),
    },
    signers: dynamoDbSigners({ client, tableName: environment.SIGNERS_TABLE }),
    transactionLog: dynamoDbEntries({ client, tableName: environment.TRANSACTIONS_TABLE }),
    executions: around.executions,
    events,
    signerInRecord,
    randomId,
    clock,
    logger,
  };
};
