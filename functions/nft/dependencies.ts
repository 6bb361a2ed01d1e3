/** Environment variables and dependencies of the NFT functions. esbuild keeps only what a function uses. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { stepFunctionsExecutions } from '../../shared/nft/aws/executions.ts';
import { kmsKeyRing } from '../../shared/nft/aws/kms-signer.ts';
import { metricEvents } from '../../shared/nft/aws/metric-events.ts';
import { stepFunctions } from '../../shared/nft/aws/step-functions-client.ts';
import { balances } from '../../shared/nft/chain/balances.ts';
import { type PolygonChainOptions, polygonChain } from '../../shared/nft/chain/chain.ts';
import { minedCounts } from '../../shared/nft/chain/mined-counts.ts';
import { chainTokenOwners } from '../../shared/nft/chain/token-owners.ts';
import type { Hex } from '../../shared/nft/hex.ts';
import type { Events } from '../../shared/nft/ports/events.ts';
import { dynamoDbClaims } from '../../shared/nft/store/claims.ts';
import { dynamoDbContracts } from '../../shared/nft/store/contracts.ts';
import { dynamoDbDailyCounts } from '../../shared/nft/store/daily-counts.ts';
import { dynamoDbEntries } from '../../shared/nft/store/entries.ts';
import { signerInRecord } from '../../shared/nft/store/log-records.ts';
import { dynamoDbNfts } from '../../shared/nft/store/nfts.ts';
import { dynamoDbSigners } from '../../shared/nft/store/signers.ts';
import { dynamoDbSupplies } from '../../shared/nft/store/supplies.ts';
import { dynamoDbTransactionLog } from '../../shared/nft/store/transactions.ts';
import { backpressure } from '../../shared/nft/submit/backpressure.ts';
import { cachedContracts, cachedSigners } from '../../shared/nft/submit/cached.ts';
import { fundsGuard } from '../../shared/nft/submit/funds.ts';
import { type KeyService, kmsClient } from '../../shared/platform/aws/kms-client.ts';
import { type SecretsClient, secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { fullJitter } from '../../shared/platform/backoff.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { type Logger, logger } from '../../shared/platform/logger.ts';
import { rpcSecret } from '../../shared/platform/rpc/rpc-secret.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import {
  callingApplications,
  chainEnvironment,
  cursorEnvironment,
  cursorSecretReader,
  type Parsed,
  resourceName,
  rpcBreakers,
  rpcEndpoints,
  wholeNumber,
} from '../platform/dependencies.ts';

export const publicContractEnvironment = { CONTRACTS_TABLE: resourceName };
export const publicTokenEnvironment = { ...publicContractEnvironment, NFTS_TABLE: resourceName };

export const publicContractDependencies = (
  { CONTRACTS_TABLE: tableName }: Parsed<typeof publicContractEnvironment>,
  client = documentClient(),
) => ({ contracts: dynamoDbContracts({ client, tableName }) });

export const publicTokenDependencies = (
  environment: Parsed<typeof publicTokenEnvironment>,
  client = documentClient(),
) => ({
  ...publicContractDependencies(environment, client),
  nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
});

export const contractReadEnvironment = { ...publicContractEnvironment, APPLICATIONS_TABLE: resourceName };
export const tokenReadEnvironment = { ...contractReadEnvironment, NFTS_TABLE: resourceName };

export const contractReadDependencies = (
  environment: Parsed<typeof contractReadEnvironment>,
  client = documentClient(),
) => ({
  ...publicContractDependencies(environment, client),
  applications: callingApplications(environment, client),
});

export const tokenReadDependencies = (
  environment: Parsed<typeof tokenReadEnvironment>,
  client = documentClient(),
) => ({
  ...publicTokenDependencies(environment, client),
  applications: callingApplications(environment, client),
});

export const contractListEnvironment = { ...contractReadEnvironment, ...cursorEnvironment };
export const tokenListEnvironment = { ...tokenReadEnvironment, ...cursorEnvironment };

export const contractListDependencies = (environment: Parsed<typeof contractListEnvironment>) => ({
  ...contractReadDependencies(environment),
  readCursorSecret: cursorSecretReader(environment),
});

export const tokenListDependencies = (environment: Parsed<typeof tokenListEnvironment>) => ({
  ...tokenReadDependencies(environment),
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

export type TransactingStage = Omit<Parsed<typeof transactingEnvironment>, 'POWERTOOLS_METRICS_NAMESPACE'>;

export const logDependencies = (
  stage: Pick<
    TransactingStage,
    'CONTRACTS_TABLE' | 'NFTS_TABLE' | 'TRANSACTIONS_TABLE' | 'SIGNERS_TABLE' | 'REQUESTS_TABLE'
  >,
  client: DocumentClient,
) => ({
  signers: dynamoDbSigners({ client, tableName: stage.SIGNERS_TABLE }),
  transactionLog: dynamoDbTransactionLog({
    client,
    tables: {
      contracts: stage.CONTRACTS_TABLE,
      nfts: stage.NFTS_TABLE,
      transactions: stage.TRANSACTIONS_TABLE,
      requests: stage.REQUESTS_TABLE,
    },
  }),
});

export const transactingDependencies = <Told extends Events>(
  stage: TransactingStage,
  {
    client,
    secrets,
    keyService,
    breakerOf,
    events,
    logger,
  }: Pick<PolygonChainOptions, 'breakerOf'> & {
    readonly client: DocumentClient;
    readonly secrets: SecretsClient;
    readonly keyService: KeyService;
    readonly events: Told;
    readonly logger: Logger;
  },
) => {
  const { CHAIN_ID: chainId, BLOCK_MILLISECONDS: blockTimeMilliseconds } = stage;
  return {
    ...logDependencies(stage, client),
    supplies: dynamoDbSupplies({ client, tableName: stage.NFTS_TABLE }),
    chain: polygonChain({
      chainId,
      urls: rpcSecret({ client: secrets, secretId: stage.CHAIN_SECRET_ARN }),
      finality: stage.CHAIN_FINALITY,
      minimumPriorityFeePerGas: stage.MINIMUM_TIP_WEI,
      blockTimeMilliseconds,
      ...(breakerOf === undefined ? {} : { breakerOf }),
    }),
    keys: kmsKeyRing({ client: keyService, keyIds: stage.SIGNER_KEY_IDS, chainId }),
    events,
    logger,
    clock: systemClock,
    randomId: randomUUID,
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
  { REQUESTS_TABLE: tableName }: Pick<TransactingStage, 'REQUESTS_TABLE'>,
  { client, ...signer }: Parameters<typeof fundsGuard>[0] & { readonly client: DocumentClient },
) => ({
  claims: dynamoDbClaims({ client, tableName }),
  counts: dynamoDbDailyCounts({ client, tableName }),
  requireFunds: fundsGuard(signer),
  pause: async (tried: number): Promise<void> => {
    await setTimeout(fullJitter({ tried }));
  },
});

const transactingIn = (environment: Parsed<typeof transactingEnvironment>, client: DocumentClient) =>
  transactingDependencies(environment, {
    client,
    secrets: secretsClient(),
    keyService: kmsClient(),
    breakerOf: rpcBreakers(environment),
    events: metricEvents({ logger, namespace: environment.POWERTOOLS_METRICS_NAMESPACE }),
    logger,
  });

export const paidCallEnvironment = { ...transactingEnvironment, APPLICATIONS_TABLE: resourceName };

export const paidCallDependencies = (
  environment: Parsed<typeof paidCallEnvironment>,
  client = documentClient(),
) => {
  const transacting = transactingIn(environment, client);
  return {
    ...transacting,
    ...admittingDependencies(environment, { ...transacting, client }),
    ...contractReadDependencies(environment, client),
    signers: cachedSigners({
      signers: transacting.signers,
      clock: systemClock,
      lifetimeMilliseconds: environment.BLOCK_MILLISECONDS,
    }),
    backpressure: backpressure(systemClock),
  };
};

export const deployDependencies = (environment: Parsed<typeof paidCallEnvironment>) => {
  const client = documentClient();
  const dependencies = paidCallDependencies(environment, client);
  const { assignSigner } = dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE });
  return {
    ...dependencies,
    applications: { ...dependencies.applications, assignSigner },
    randomSalt: (): Hex => `0x${randomBytes(32).toString('hex')}`,
  };
};

export const tokenCallDependencies = (environment: Parsed<typeof paidCallEnvironment>) => {
  const client = documentClient();
  return {
    ...paidCallDependencies(environment, client),
    nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  };
};

export const mintDependencies = (environment: Parsed<typeof paidCallEnvironment>) => {
  const dependencies = tokenCallDependencies(environment);
  return {
    ...dependencies,
    contracts: cachedContracts({
      contracts: dependencies.contracts,
      clock: systemClock,
      lifetimeMilliseconds: environment.BLOCK_MILLISECONDS,
    }),
  };
};

const executionsOf = ({ STATE_MACHINE_ARN: stateMachineArn }: { readonly STATE_MACHINE_ARN: string }) =>
  stepFunctionsExecutions({ client: stepFunctions(), stateMachineArn });

export const waiterEnvironment = {
  ...transactingEnvironment,
  STATE_MACHINE_ARN: resourceName,
  PASS_MILLISECONDS: wholeNumber,
  REPLACE_AFTER_MILLISECONDS: wholeNumber,
};

export const waiterDependencies = (
  environment: Parsed<typeof waiterEnvironment>,
  client = documentClient(),
) => ({
  ...transactingIn(environment, client),
  nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
  executions: executionsOf(environment),
  wait: async (milliseconds: number): Promise<void> => {
    await setTimeout(milliseconds);
  },
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

export const signerWatchDependencies = (
  environment: Parsed<typeof signerWatchEnvironment>,
  client = documentClient(),
) => {
  const endpoints = rpcEndpoints(environment);
  return {
    chain: {
      chainId: environment.CHAIN_ID,
      minedCounts: minedCounts(endpoints),
      balances: balances(endpoints),
    },
    signers: dynamoDbSigners({ client, tableName: environment.SIGNERS_TABLE }),
    transactionLog: dynamoDbEntries({ client, tableName: environment.TRANSACTIONS_TABLE }),
    executions: executionsOf(environment),
    events: metricEvents({ logger, namespace: environment.POWERTOOLS_METRICS_NAMESPACE }),
    signerInRecord,
    randomId: randomUUID,
    clock: systemClock,
    logger,
  };
};
