/**
 * Environment variables and dependencies of the NFT functions that no request calls. esbuild keeps only what a function uses.
 *
 * | function | gets |
 * |---|---|
 * | `run-waiter` | `waiter` |
 * | `watch-signers` | `signerWatch` |
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { stepFunctions, stepFunctionsExecutions } from '../../shared/nft/aws/executions.ts';
import { metricEvents } from '../../shared/nft/aws/metrics.ts';
import type { Executions } from '../../shared/nft/ports/executions.ts';
import type { Gauges, MetricEvents, StageGauges } from '../../shared/nft/ports/metrics.ts';
import { balances } from '../../shared/nft/rpc/balances.ts';
import { minedCounts } from '../../shared/nft/rpc/mined-counts.ts';
import { silentEndpoints } from '../../shared/nft/rpc/silent-endpoints.ts';
import { dynamoDbEntries } from '../../shared/nft/store/entries.ts';
import { signerInRecord } from '../../shared/nft/store/log-records.ts';
import { dynamoDbNfts } from '../../shared/nft/store/nfts.ts';
import { dynamoDbSigners } from '../../shared/nft/store/signers.ts';
import { secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { logger } from '../../shared/platform/logger.ts';
import { documentClient } from '../../shared/platform/store/client.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { chainEnvironment, rpcEndpoints } from '../chain/dependencies.ts';
import { type Parsed, resourceName, wholeNumber } from '../platform/dependencies.ts';
import {
  lambdaSurroundings,
  type Surroundings,
  transactingDependencies,
  transactingEnvironment,
} from './transacting-dependencies.ts';

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
