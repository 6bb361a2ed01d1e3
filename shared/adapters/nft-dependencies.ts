import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { cachedApplications } from '../applications/cached.ts';
import { fullJitter } from '../backoff.ts';
import { systemClock } from '../clock.ts';
import { logger } from '../logger.ts';
import type { Hex } from '../nft/hex.ts';
import { backpressure } from '../nft/submit/backpressure.ts';
import { cachedContracts, cachedSigners } from '../nft/submit/cached.ts';
import { fundsGuard } from '../nft/submit/funds.ts';
import type { SubmitDependencies } from '../nft/submit/submit.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { dynamoDbApplications } from './dynamodb/applications.ts';
import { dynamoDbClaims } from './dynamodb/claims.ts';
import type { DocumentClient } from './dynamodb/client.ts';
import { dynamoDbContracts } from './dynamodb/contracts.ts';
import { dynamoDbDailyCounts } from './dynamodb/daily-counts.ts';
import { dynamoDbNfts } from './dynamodb/nfts.ts';
import { dynamoDbSigners } from './dynamodb/signers.ts';
import { dynamoDbSupplies } from './dynamodb/supplies.ts';
import { dynamoDbTransactionLog } from './dynamodb/transactions.ts';
import { kmsClient } from './kms/client.ts';
import { kmsKeyRing } from './kms/signer.ts';
import { circuitGauge } from './metrics/circuit-gauge.ts';
import { metricEvents } from './metrics/nft-events.ts';
import { polygonChain } from './polygon/chain.ts';
import { rpcSecret } from './polygon/rpc-secret.ts';
import { secretsClient } from './secrets/client.ts';

const tableName = z.string().min(1);
const wholeNumber = z.string().regex(/^\d+$/).transform(Number);
const wei = z.string().regex(/^\d+$/).transform(BigInt);

const finalitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag') }),
  z.object({ kind: z.literal('confirmations'), blocks: z.int() }),
]);

/** The environment of every function that signs and sends. */
export const transactingEnvironment = {
  CONTRACTS_TABLE: tableName,
  NFTS_TABLE: tableName,
  TRANSACTIONS_TABLE: tableName,
  SIGNERS_TABLE: tableName,
  REQUESTS_TABLE: tableName,
  CHAIN_ID: wholeNumber,
  CHAIN_SECRET_ARN: z.string().min(1),
  CHAIN_FINALITY: z.string().transform((text) => finalitySchema.parse(JSON.parse(text))),
  BLOCK_MILLISECONDS: wholeNumber,
  SIGNER_KEY_IDS: z
    .string()
    .min(1)
    .transform((text) => text.split(',')),
  IN_FLIGHT_CAP: wholeNumber,
  FEE_CEILING_WEI: wei,
  /** 0 means none, as in geth. */
  ENDPOINT_FEE_CAP_WEI: wei.transform((cap) => (cap === 0n ? undefined : cap)),
  MINIMUM_TIP_WEI: wei,
  POWERTOOLS_METRICS_NAMESPACE: z.string().min(1),
};

type TransactingEnvironment = z.output<z.ZodObject<typeof transactingEnvironment>>;

/** The environment of the paid calls to an existing contract. */
export const contractCallEnvironment = { ...transactingEnvironment, APPLICATIONS_TABLE: tableName };

type ContractCallEnvironment = z.output<z.ZodObject<typeof contractCallEnvironment>>;

/** What signs, records and sends, for the handlers and the waiter alike. */
export const transactingDependencies = (environment: TransactingEnvironment, client: DocumentClient) => {
  const chainId = environment.CHAIN_ID;
  const namespace = environment.POWERTOOLS_METRICS_NAMESPACE;
  const gauge = circuitGauge({ service: 'rpc', namespace });
  return {
    chain: polygonChain({
      chainId,
      urls: rpcSecret({ client: secretsClient(), secretId: environment.CHAIN_SECRET_ARN }),
      finality: environment.CHAIN_FINALITY,
      minimumPriorityFeePerGas: environment.MINIMUM_TIP_WEI,
      blockTimeMilliseconds: environment.BLOCK_MILLISECONDS,
      breakerOf: ({ host, isHanging }) =>
        circuitBreaker({ service: 'rpc', fields: { endpoint: host }, logger, gauge, isHanging }),
    }),
    keys: kmsKeyRing({
      client: kmsClient(),
      keyIds: environment.SIGNER_KEY_IDS,
      chainId,
    }),
    signers: dynamoDbSigners({ client, tableName: environment.SIGNERS_TABLE }),
    transactionLog: dynamoDbTransactionLog({
      client,
      tables: {
        contracts: environment.CONTRACTS_TABLE,
        nfts: environment.NFTS_TABLE,
        transactions: environment.TRANSACTIONS_TABLE,
        requests: environment.REQUESTS_TABLE,
      },
    }),
    supplies: dynamoDbSupplies({ client, tableName: environment.NFTS_TABLE }),
    events: metricEvents({ logger, namespace }),
    logger,
    clock: systemClock,
    randomId: randomUUID,
    settings: {
      inFlightCap: environment.IN_FLIGHT_CAP,
      feeCeiling: environment.FEE_CEILING_WEI,
      endpointFeeCap: environment.ENDPOINT_FEE_CAP_WEI,
      feeLifetimeMilliseconds: 2 * environment.BLOCK_MILLISECONDS,
    },
  };
};

/** What handlers of paid requests need in addition. */
export const submitDependencies = (
  environment: TransactingEnvironment,
  client: DocumentClient,
): SubmitDependencies => {
  const transacting = transactingDependencies(environment, client);
  const requests = { client, tableName: environment.REQUESTS_TABLE };
  return {
    ...transacting,
    signers: cachedSigners({
      signers: transacting.signers,
      clock: systemClock,
      lifetimeMilliseconds: environment.BLOCK_MILLISECONDS,
    }),
    claims: dynamoDbClaims(requests),
    counts: dynamoDbDailyCounts(requests),
    requireFunds: fundsGuard(transacting),
    backpressure: backpressure(systemClock),
    pause: pauseBeforeTry,
  };
};

/** What paid calls to an existing contract need in addition: the caller's application, and the contracts. */
export const contractCallDependencies = (environment: ContractCallEnvironment, client: DocumentClient) => ({
  ...submitDependencies(environment, client),
  applications: cachedApplications(
    dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
  ),
  contracts: dynamoDbContracts({ client, tableName: environment.CONTRACTS_TABLE }),
});

/** What changes of tokens need in addition: the tokens. */
export const tokenCallDependencies = (environment: ContractCallEnvironment, client: DocumentClient) => ({
  ...contractCallDependencies(environment, client),
  nfts: dynamoDbNfts({ client, tableName: environment.NFTS_TABLE }),
});

/** What mints need in addition: cached contracts, and all of a limited supply. */
export const mintDependencies = (environment: ContractCallEnvironment, client: DocumentClient) => {
  const dependencies = tokenCallDependencies(environment, client);
  return {
    ...dependencies,
    contracts: cachedContracts({
      contracts: dependencies.contracts,
      clock: systemClock,
      lifetimeMilliseconds: environment.BLOCK_MILLISECONDS,
    }),
    supplies: dynamoDbSupplies({ client, tableName: environment.NFTS_TABLE }),
  };
};

export const pauseBeforeTry = async (tried: number): Promise<void> => {
  await setTimeout(fullJitter({ tried }));
};

export const randomSalt = (): Hex => `0x${randomBytes(32).toString('hex')}`;
