/** The service: its own functions with their own wiring, and the parts of AWS that invoke them. */

import { runWaiterHandler } from '../../functions/nft/run-waiter/handler.ts';
import {
  claimingUserDependencies,
  givingDependencies,
  tokenCallDependencies,
} from '../../functions/nft/token-dependencies.ts';
import {
  deployDependencies,
  logDependencies,
  type Surroundings,
} from '../../functions/nft/transacting-dependencies.ts';
import { signerWatchDependencies, waiterDependencies } from '../../functions/nft/waiter-dependencies.ts';
import { watchSignersHandler } from '../../functions/nft/watch-signers/handler.ts';
import type { Address } from '../../shared/chain/hex.ts';
import type { Executions, WaiterInput } from '../../shared/nft/ports/executions.ts';
import type { Gauges, MetricEvents, StageGauges } from '../../shared/nft/ports/metrics.ts';
import type { SignerId } from '../../shared/nft/transactions/entry.ts';
import type { PassInput } from '../../shared/nft/waiter/pass.ts';
import { circuitBreaker } from '../../shared/platform/outside/circuit-breaker.ts';
import { handlerLifetimeMilliseconds } from '../../shared/platform/time/handler-lifetime.ts';
import { blockMilliseconds } from './chain.ts';
import type { SimulatedEndpoints } from './endpoints.ts';
import { type FunctionSurroundings, simulatedFunction } from './functions.ts';
import { simulatedKeys } from './keys.ts';
import type { Process } from './process.ts';
import { restoringDependencies } from './restoring.ts';
import { chainId } from './rpc-methods.ts';
import type { Store } from './store.ts';
import { between, hexOf } from './streams.ts';
import { surroundingsOf } from './surroundings.ts';

const gwei = 1_000_000_000n;
export const feeCeiling = 1_000n * gwei;
const passMilliseconds = 50_000;

export const tables = {
  Applications: { keys: ['pk'] },
  Contracts: {
    keys: ['pk', 'sk'],
    indexes: { newest: ['pk', 'listed'], by_address: ['address'] },
  },
  Nfts: {
    keys: ['pk', 'sk'],
    indexes: { by_destination: ['destination', 'sk'], by_holder: ['holder', 'sk'] },
  },
  Transactions: { keys: ['pk', 'sk'], indexes: { by_collection: ['collection', 'change'] } },
  Signers: { keys: ['pk'] },
  Requests: { keys: ['pk', 'sk'] },
  TokenHistory: { keys: ['pk', 'sk'], indexes: { by_giver: ['giver', 'sk'] } },
  Users: { keys: ['user_sub'] },
  ApplicationUserSubs: { keys: ['pk', 'sk'] },
  Wallets: { keys: ['pk'] },
} as const;

export const stage = {
  APPLICATIONS_TABLE: 'Applications',
  CONTRACTS_TABLE: 'Contracts',
  NFTS_TABLE: 'Nfts',
  TRANSACTIONS_TABLE: 'Transactions',
  SIGNERS_TABLE: 'Signers',
  REQUESTS_TABLE: 'Requests',
  TOKEN_HISTORY_TABLE: 'TokenHistory',
  USERS_TABLE: 'Users',
  SUBS_TABLE: 'ApplicationUserSubs',
  WALLETS_TABLE: 'Wallets',
  CLAIM_AFTER_SECONDS: 20,
  CLAIMS_PER_DAY: 1_000,
  CHAIN_ID: chainId,
  CHAIN_SECRET_ARN: 'rpc-urls',
  CHAIN_FINALITY: { kind: 'tag' as const },
  BLOCK_MILLISECONDS: blockMilliseconds,
  SIGNER_KEY_IDS: [],
  FEE_CEILING_WEI: feeCeiling,
  ENDPOINT_FEE_CAP_WEI: undefined,
  MINIMUM_TIP_WEI: 25n * gwei,
  POWERTOOLS_METRICS_NAMESPACE: 'simulation',
  STATE_MACHINE_ARN: 'waiter',
  PASS_MILLISECONDS: passMilliseconds,
  REPLACE_AFTER_MILLISECONDS: 10_000,
};

interface ServiceOptions extends FunctionSurroundings {
  readonly store: Store;
  readonly endpoints: SimulatedEndpoints;
  readonly addresses: readonly Address[];
  readonly inFlightCap: number;
  readonly onEvent: (event: string) => void;
}

export type Service = ReturnType<typeof createService>;

export const createService = (options: ServiceOptions) => {
  const { scheduler, streams, faults, history, store, endpoints, addresses, inFlightCap } = options;
  const environment = { ...stage, IN_FLIGHT_CAP: inFlightCap };
  const urls = endpoints.endpoints.map(({ url }) => url);

  const around = (process: Process) => {
    const common = surroundingsOf(process, options);
    const { logger, timer } = common;
    return {
      ...common,
      secrets: { read: async () => JSON.stringify({ urls }) },
      keys: simulatedKeys({ addresses, process, streams, faults }),
      exchange: endpoints.exchangeOf(process),
      breakerOf: ({ isHanging }) =>
        circuitBreaker({ service: 'rpc', logger, isHanging, clock: process.clock, timer }),
      events: { raise: options.onEvent, measure: () => {}, measureStage: () => {} },
      executions: executionsOf(process),
    } satisfies Surroundings<MetricEvents & Gauges & StageGauges> & Record<string, unknown>;
  };

  const handlers = { timeoutMilliseconds: handlerLifetimeMilliseconds, hasDeadline: true };
  const functions = {
    mint: simulatedFunction(options, {
      ...handlers,
      name: 'mint',
      make: (process) => givingDependencies(environment, around(process)),
    }),
    change: simulatedFunction(options, {
      ...handlers,
      name: 'change',
      make: (process) => tokenCallDependencies(environment, around(process)),
    }),
    claim: simulatedFunction(options, {
      ...handlers,
      name: 'claim',
      make: (process) => claimingUserDependencies(environment, around(process)),
    }),
    deploy: simulatedFunction(options, {
      ...handlers,
      name: 'deploy',
      make: (process) => ({
        ...deployDependencies(environment, around(process)),
        randomSalt: () => hexOf(streams.of(`salts @ ${process.task}`), 32),
      }),
    }),
    waiter: simulatedFunction(options, {
      name: 'waiter',
      timeoutMilliseconds: passMilliseconds + 40_000,
      make: (process) => runWaiterHandler(waiterDependencies(environment, around(process))),
    }),
    /** The operator's command line. */
    operator: simulatedFunction(options, {
      name: 'operator',
      timeoutMilliseconds: 60_000,
      make: (process) => {
        const outside = around(process);
        return {
          ...tokenCallDependencies(environment, outside),
          ...logDependencies(environment, outside.client),
        };
      },
    }),
    /** The operator's command `restore`, which waits for the chain as long as it takes. */
    restore: simulatedFunction(options, {
      name: 'restore',
      timeoutMilliseconds: 600_000,
      make: (process) => restoringDependencies(environment, around(process)),
    }),
    watch: simulatedFunction(options, {
      name: 'watch',
      timeoutMilliseconds: 30_000,
      make: (process) => {
        const { chain, ...dependencies } = signerWatchDependencies(environment, around(process));
        // What it measures for operators decides nothing.
        const measured = { ...chain, silentEndpoints: async () => [] };
        return watchSignersHandler({ ...dependencies, chain: measured });
      },
    }),
  };

  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => scheduler.at(scheduler.now() + milliseconds, resolve));

  /** The state machine of lib/nft/waiter.ts: a pass after the other; a pass that fails is tried five times more. */
  const executions = new Map<string, 'running' | 'closed'>();
  const started = new Map<SignerId, number>();
  const runExecution = async ({ signer, generation }: WaiterInput): Promise<void> => {
    const which = (started.get(signer) ?? 0) + 1;
    started.set(signer, which);
    const name = `waiter ${signer.slice(-2)}.${which}`;
    let input: PassInput = { signer, generation };
    for (let pass = 1; ; pass += 1) {
      const task = `${name}, pass ${pass}`;
      if (faults.strike('execution: runs twice', task)) {
        functions.waiter.invoke(`${task} again`, (handler) => handler(input)).catch(() => {});
      }
      let result: Awaited<ReturnType<ReturnType<typeof runWaiterHandler>>> | undefined;
      for (let tried = 0; result === undefined && tried <= 5; tried += 1) {
        if (tried > 0) await sleep(2_000 * 2 ** (tried - 1));
        const label = tried === 0 ? task : `${task}, try ${tried + 1}`;
        result = await functions.waiter.invoke(label, (handler) => handler(input)).catch(() => undefined);
      }
      if (result === undefined || !result.again || faults.strike('execution: lost', task)) return;
      input = result;
    }
  };
  function executionsOf(process: Process): Executions {
    return {
      start: (input) => {
        const isLost = faults.strike('execution: answer lost', process.task);
        return process.after(between(streams.of(`executions @ ${process.task}`), 5, 60), () => {
          const state = executions.get(input.generation);
          if (state === undefined) {
            executions.set(input.generation, 'running');
            history.say(process.name, `starts an execution for ${input.signer}`);
            void runExecution(input).then(() => executions.set(input.generation, 'closed'));
          }
          if (isLost) throw new Error('Step Functions did not answer');
          return state ?? 'running';
        });
      },
    };
  }

  /** New entries of the log reach the function a second later, as one batch. */
  let records: { readonly dynamodb: object }[] = [];
  let batches = 0;
  const deliver = (batch: typeof records, task: string): void => {
    functions.watch.invoke(task, (handler) => handler({ Records: batch })).catch(() => {});
  };
  store.watch(({ table, before, after }) => {
    if (table !== stage.TRANSACTIONS_TABLE || before !== undefined || after === undefined) return;
    records.push({ dynamodb: { Keys: { pk: { S: after.pk } }, SequenceNumber: String(after.nonce) } });
    if (records.length > 1) return;
    batches += 1;
    const task = `stream ${batches}`;
    if (faults.strike('stream: lost', task)) {
      records = [];
      return;
    }
    const late = faults.strike('stream: late', task) ? between(streams.of(task), 1_000, 90_000) : 0;
    scheduler.at(scheduler.now() + 1_000 + late, () => {
      const batch = records;
      records = [];
      deliver(batch, task);
      if (faults.strike('stream: twice', task)) deliver(batch, `${task} again`);
    });
  });

  let minute = 0;
  const schedule = (): void => {
    minute += 1;
    const task = `schedule ${minute}`;
    if (!faults.strike('schedule: missed', task)) {
      functions.watch.invoke(task, (handler) => handler({})).catch(() => {});
    }
    scheduler.at(scheduler.now() + 60_000, schedule);
  };
  scheduler.at(scheduler.now() + 60_000, schedule);

  return { ...functions, sleep };
};
