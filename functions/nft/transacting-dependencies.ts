/**
 * Environment variables and dependencies of the NFT functions that send transactions, but change no tokens. esbuild keeps
 * only what a function uses.
 *
 * | function | gets |
 * |---|---|
 * | `create-contract` | `deploy` |
 * | `set-royalty`, `update-contract-metadata` | `paidCall` |
 *
 * The others are parts of these, and of those in `token-dependencies.ts` and `waiter-dependencies.ts`. The operator's
 * command line uses them too.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Hex } from '../../shared/chain/hex.ts';
import { rpcSecret } from '../../shared/chain/rpc/rpc-secret.ts';
import { kmsKeyRing } from '../../shared/nft/aws/kms-signer.ts';
import { metricEvents } from '../../shared/nft/aws/metrics.ts';
import type { MetricEvents } from '../../shared/nft/ports/metrics.ts';
import { type PolygonChainOptions, polygonChain } from '../../shared/nft/rpc/chain.ts';
import { dynamoDbClaimLeases } from '../../shared/nft/store/claim-leases.ts';
import { dynamoDbDailyCounts } from '../../shared/nft/store/daily-counts.ts';
import { dynamoDbHolds } from '../../shared/nft/store/holds.ts';
import { dynamoDbSigners } from '../../shared/nft/store/signers.ts';
import { dynamoDbSupplies } from '../../shared/nft/store/supplies.ts';
import { dynamoDbTransactionLog } from '../../shared/nft/store/transactions.ts';
import { backpressure } from '../../shared/nft/submit/backpressure.ts';
import { cachedSigners } from '../../shared/nft/submit/cached-signers.ts';
import type { KeyRing } from '../../shared/nft/transactions/key-ring.ts';
import { fundsGuard } from '../../shared/nft/transactions/signer-funds.ts';
import { kmsClient } from '../../shared/platform/aws/kms-client.ts';
import { type SecretsClient, secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { type Logger, logger } from '../../shared/platform/logger.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { jitteredPause, type Pause } from '../../shared/platform/time/backoff.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { chainEnvironment, rpcBreakers } from '../chain/dependencies.ts';
import { callingApplications, type Parsed, resourceName, wholeNumber } from '../platform/dependencies.ts';
import { contractDependencies } from './reading-dependencies.ts';

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
export const lambdaSurroundings = (environment: Parsed<typeof transactingEnvironment>) => ({
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
