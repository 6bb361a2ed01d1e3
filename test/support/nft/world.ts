import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { waitFor } from 'template-runtime/testing/wait.ts';
import {
  publicMetadataDependencies,
  receiversDependencies,
} from '../../../functions/nft/reading-dependencies.ts';
import { reservingDependencies } from '../../../functions/nft/token-dependencies.ts';
import {
  holdingDependencies,
  logDependencies,
  supplyDependencies,
} from '../../../functions/nft/transacting-dependencies.ts';
import { watchSignersHandler } from '../../../functions/nft/watch-signers/handler.ts';
import type { Address, Hex } from '../../../shared/chain/hex.ts';
import type { CollectionOptions, Royalty } from '../../../shared/nft/collections/collection.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { Executions } from '../../../shared/nft/ports/executions.ts';
import type { SignerMeasures, StageGauges } from '../../../shared/nft/ports/metrics.ts';
import { reserveTokens } from '../../../shared/nft/reservations/reserve.ts';
import { polygonChain } from '../../../shared/nft/rpc/chain.ts';
import { signerInRecord } from '../../../shared/nft/store/log-records.ts';
import { backpressure } from '../../../shared/nft/submit/backpressure.ts';
import { deployContract } from '../../../shared/nft/submit/deploy.ts';
import { mintTokens } from '../../../shared/nft/submit/mint.ts';
import type { Nft, NftMetadata } from '../../../shared/nft/tokens/nft.ts';
import { signerIdOf } from '../../../shared/nft/transactions/entry.ts';
import { keyRing } from '../../../shared/nft/transactions/key-ring.ts';
import type { TransactionSettings } from '../../../shared/nft/transactions/settings.ts';
import { fundsGuard } from '../../../shared/nft/transactions/signer-funds.ts';
import { hasUnfinishedWork } from '../../../shared/nft/waiter/ensure-waiter.ts';
import { type PassInput, runPass } from '../../../shared/nft/waiter/pass.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { ApplicationSigners } from '../../../shared/platform/applications/ports/applications.ts';
import { circuitBreaker } from '../../../shared/platform/outside/circuit-breaker.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { jitteredPause } from '../../../shared/platform/time/backoff.ts';
import { addresses } from '../ott/api-event.ts';
import { anApplication } from '../platform/applications.ts';
import { createTables, type TestDatabase } from '../platform/dynamodb.ts';
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts';
import { localSigner } from './local-signer.ts';
import { someMetadata } from './metadata.ts';
import { mintToken } from './mint-token.ts';
import { fixedUrls } from './rpc-urls.ts';

export const { base: publicBaseUrl } = addresses;

/** The receiver of tokens in tests: an address without code. */
export const receiver: Address = '0x00000000000000000000000000000000000000aa';

export interface WorldOptions {
  /** How many blocks a usual search for an event covers. */
  readonly eventBlocks?: number;
  readonly database: TestDatabase;
  /** The client with which the service accesses the database. @default the database's own client */
  readonly documents?: DocumentClient;
  /** @default a block every quarter of a second */
  readonly anvil?: AnvilOptions;
  /** The RPC URLs that the service uses instead of the node's own. @default the node itself */
  readonly urls?: (anvil: Anvil) => readonly string[];
  readonly settings?: Partial<TransactionSettings>;
  readonly passMilliseconds?: number;
  readonly replaceAfterMilliseconds?: number;
  /** The number of the stage's signers. The first one is `ports.signer`. @default 1 */
  readonly signers?: number;
  /** Stores which signer an application uses. @default nothing is stored, because with one signer there is no choice */
  readonly applications?: ApplicationSigners;
  /** The time within which one RPC endpoint must answer. */
  readonly requestTimeoutMilliseconds?: number;
}

export type Ports = ReturnType<typeof portsOf>;

const tableIds = [
  'Contracts',
  'Nfts',
  'Transactions',
  'Signers',
  'Requests',
  'TokenHistory',
  'Users',
  'ApplicationUserSubs',
  'Wallets',
] as const;

/** The ports of the functions, as the `*-dependencies.ts` of `functions/nft` make them. */
const portsOf = (client: DocumentClient, tables: Record<(typeof tableIds)[number], string>, chain: Chain) => {
  const stage = {
    CONTRACTS_TABLE: tables.Contracts,
    NFTS_TABLE: tables.Nfts,
    TRANSACTIONS_TABLE: tables.Transactions,
    SIGNERS_TABLE: tables.Signers,
    REQUESTS_TABLE: tables.Requests,
    TOKEN_HISTORY_TABLE: tables.TokenHistory,
    USERS_TABLE: tables.Users,
    SUBS_TABLE: tables.ApplicationUserSubs,
    WALLETS_TABLE: tables.Wallets,
  };
  return {
    chain,
    signer: localSigner(),
    ...logDependencies(stage, client),
    ...publicMetadataDependencies(stage, client),
    ...holdingDependencies(stage, client),
    ...supplyDependencies(stage, client),
    ...receiversDependencies(stage, client),
    ...reservingDependencies(stage, client),
  };
};

export interface MintOrder {
  readonly contract: Address;
  readonly key?: string;
  readonly name?: string;
  /** @default only a name */
  readonly metadata?: Partial<NftMetadata>;
  readonly destination?: Address;
  readonly application?: Application;
  readonly ports?: Ports;
}

export interface BatchOrder {
  readonly contract: Address;
  /** One token each. */
  readonly destinations: readonly Address[];
  readonly key?: string;
  readonly application?: Application;
  readonly ports?: Ports;
}

export interface ReservationOrder extends Omit<BatchOrder, 'destinations'> {
  /** The application's identifiers for users. One token each. */
  readonly users: readonly string[];
}

/** Addresses without code, all different. */
export const receivers = (count: number): Address[] =>
  Array.from(
    { length: count },
    (_, index) => `0x${(0xaa00 + index).toString(16).padStart(40, '0')}` as const,
  );

let worlds = 0;

/**
 * The NFT domain on a real database and a real chain. Its executions behave as those of Step Functions: a name that is
 * already running is not started again, and a name that is closed is refused.
 */
export const startWorld = async (options: WorldOptions) => {
  worlds += 1;
  const anvil = await startAnvil(options.anvil ?? { blockTimeSeconds: 0.25 });
  const tables = await createTables(options.database, tableIds, `world${worlds}-${process.pid}`);
  const chainOver = (urls: readonly string[]): Chain =>
    polygonChain({
      chainId: 31_337,
      urls: fixedUrls(...urls),
      finality: { kind: 'tag' },
      minimumPriorityFeePerGas: 1_000_000_000n,
      blockTimeMilliseconds: 200,
      ...(options.eventBlocks !== undefined && { eventBlocks: options.eventBlocks }),
      breakerOf: ({ isHanging }) =>
        circuitBreaker({ service: 'rpc', logger: { info: () => {}, warn: () => {} }, isHanging }),
      ...(options.requestTimeoutMilliseconds !== undefined && {
        requestTimeoutMilliseconds: options.requestTimeoutMilliseconds,
      }),
    });
  const ports = portsOf(
    options.documents ?? options.database.documents,
    tables,
    chainOver(options.urls?.(anvil) ?? [anvil.url]),
  );

  let skipped = 0;
  const clock = (): number => Date.now() + skipped;
  const measured: { readonly signer: number; readonly measures: SignerMeasures }[] = [];
  const measuredStages: Parameters<StageGauges['measureStage']>[0][] = [];
  const raised: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  const lines: { readonly message: string; readonly fields: unknown }[] = [];
  const write = (message: string, fields?: unknown): void => {
    lines.push({ message, fields });
  };
  const shared = {
    events: {
      raise: (event: string, fields: Readonly<Record<string, unknown>>) => raised.push({ event, fields }),
      measure: (measures: (typeof measured)[number]) => measured.push(measures),
      measureStage: (stage: (typeof measuredStages)[number]) => measuredStages.push(stage),
    },
    logger: { debug: write, info: write, warn: write, error: write },
    clock,
    randomId: randomUUID,
    pause: jitteredPause,
    settings: {
      inFlightCap: 256,
      feeCeiling: 1_000_000_000_000n,
      feeLifetimeMilliseconds: 400,
      ...options.settings,
    },
  };

  const fundsOver = (chain: Chain) => fundsGuard({ chain, clock, events: shared.events });
  const requireFunds = fundsOver(ports.chain);
  const otherSigners = Array.from({ length: (options.signers ?? 1) - 1 }, (_, index) =>
    localSigner({ privateKey: `0x${randomBytes(32).toString('hex')}`, number: index + 2 }),
  );
  for (const signer of otherSigners) {
    await anvil.rpc('anvil_setBalance', await signer.address(), '0x21e19e0c9bab2400000');
  }
  const keysOver = ({ signer }: Pick<Ports, 'signer'>) => keyRing([signer, ...otherSigners]);

  const submitDependencies = (over: Ports = ports) => ({
    ...over,
    ...shared,
    keys: keysOver(over),
    applications: options.applications ?? { assignSigner: async ({ to }: { readonly to: string }) => to },
    backpressure: backpressure(clock),
    requireFunds: over.chain === ports.chain ? requireFunds : fundsOver(over.chain),
    randomSalt: () => `0x${randomBytes(32).toString('hex')}` as const,
  });

  const application = anApplication({
    limits: { contractsPerDay: 10_000, mintsPerDay: 100_000 },
  });
  const signerId = signerIdOf({ chainId: 31_337, address: await ports.signer.address() });

  let isStopped = false;
  let transitions = 0;
  const running = new Set<Promise<void>>();
  const executionStates = new Map<string, 'running' | 'closed'>();

  const passDependencies = (over: Ports, executions: Executions) => ({
    ...over,
    ...shared,
    executions,
    wait: async (milliseconds: number) => {
      await setTimeout(milliseconds);
    },
    passMilliseconds: options.passMilliseconds ?? 3_000,
    roundMilliseconds: 200,
    replaceAfterMilliseconds: options.replaceAfterMilliseconds ?? 10_000,
  });

  /** `over` returns the ports of each execution, so that a test can make one execution fail. */
  const executionsOver = (over: () => Ports): Executions => {
    const executions: Executions = {
      start: async ({ signer, generation }) => {
        const state = executionStates.get(generation);
        if (state !== undefined) return state;
        executionStates.set(generation, 'running');
        const run = async (): Promise<void> => {
          const ports = over();
          try {
            const known = await keysOver(ports).find(signer);
            const dependencies = passDependencies(
              { ...ports, signer: known?.signer ?? ports.signer },
              executions,
            );
            let state: PassInput = { signer, generation };
            for (let again = true; again && !isStopped; ) {
              transitions += 2;
              const result = await runPass(dependencies, state);
              ({ again } = result);
              state = result;
            }
          } catch (error) {
            write('An execution failed', error);
          } finally {
            executionStates.set(generation, 'closed');
          }
        };
        const begun = run();
        running.add(begun);
        void begun.then(() => running.delete(begun));
        return 'running';
      },
    };
    return executions;
  };
  const executions = executionsOver(() => ports);

  /** What the schedule does or, with records of the log's stream, what its trigger does. */
  const watch = async (
    by: Executions = executions,
    over: Ports = ports,
    Records?: readonly unknown[],
  ): Promise<void> => {
    const handle = watchSignersHandler({ ...over, ...shared, signerInRecord, executions: by });
    await handle(Records === undefined ? {} : { Records });
  };

  return {
    anvil,
    ports,
    tables,
    application,
    signerId,
    /** Ids of all signers, in their order. */
    signerIds: (await keysOver(ports).list()).map(({ id }) => id),
    raised,
    measured,
    measuredStages,
    lines,
    chainOver,
    /** Ports to the same tables and chain, but with another database client. */
    portsOver: (documents: DocumentClient): Ports => portsOf(documents, tables, ports.chain),
    submitDependencies,
    passDependencies,
    executions,
    executionsOver,
    watch,
    transitions: () => transitions,
    /** Lets time pass for the service, not for the chain. */
    skip: (milliseconds: number) => {
      skipped += milliseconds;
    },
    clock,
    /** Sends a transaction with the signer's key that is not in the log, as if somebody else did. */
    useNonce: async (nonce: number, work: { readonly to?: Address; readonly data?: Hex } = {}) => {
      const { signer, chain: polygon } = ports;
      const sent = await signer.sign({
        nonce,
        to: work.to ?? (await signer.address()),
        data: work.data ?? '0x',
        gas: 130_000n,
        maxFeePerGas: 10_000_000_000n,
        maxPriorityFeePerGas: 2_000_000_000n,
      });
      await polygon.broadcast(sent.raw);
      return sent;
    },

    deploy: (
      order: {
        readonly key?: string;
        readonly name?: string;
        readonly ports?: Ports;
        readonly application?: Application;
        readonly royalty?: Royalty;
        readonly options?: CollectionOptions;
      } = {},
    ): Promise<Contract> =>
      deployContract(submitDependencies(order.ports), {
        application: order.application ?? application,
        idempotency: { scope: 'deploy', key: order.key, body: [order.name] },
        base: publicBaseUrl,
        name: order.name ?? 'Fan Club',
        symbol: 'FAN',
        description: null,
        image: null,
        media: [],
        royalty: order.royalty ?? null,
        ...order.options,
      }),

    mint: (order: MintOrder): Promise<Nft> =>
      mintToken(submitDependencies(order.ports), {
        application: order.application ?? application,
        idempotency: {
          scope: `mint into ${order.contract}`,
          key: order.key,
          body: [order.destination, order.name],
        },
        contract: order.contract,
        destination: order.destination ?? receiver,
        metadata: { ...someMetadata(order.name), ...order.metadata },
      }),

    mintBatch: (order: BatchOrder): Promise<readonly Nft[]> =>
      mintTokens(submitDependencies(order.ports), {
        application: order.application ?? application,
        idempotency: {
          scope: `mint a batch into ${order.contract}`,
          key: order.key,
          body: [order.destinations],
        },
        contract: order.contract,
        tokens: order.destinations.map((destination, index) => ({
          destination,
          metadata: someMetadata(`Ticket ${index}`),
        })),
      }),

    /** Registers a user. Resolves to the application's identifier for the user. */
    register: async (
      userSub: string = randomUUID(),
      { id: applicationId }: Pick<Application, 'id'> = application,
    ): Promise<{
      readonly userSub: string;
      readonly registrationId: string;
      readonly applicationUserSub: string;
    }> => {
      const registrationId = randomUUID();
      const changedAt = '2026-11-20T09:15:02.123456';
      const user = { userSub, registrationId, version: 1, changedAt, registeredAt: changedAt };
      await ports.users.save({ ...user, data: {}, agreements: [] }, { ended: undefined });
      const sub = await ports.subs.ensure({ registrationId, userSub, applicationId, link: true });
      if (sub === undefined) throw new Error('The registration has ended');
      const { applicationUserSub } = sub;
      return { userSub, registrationId, applicationUserSub };
    },

    reserve: (order: ReservationOrder): Promise<readonly Nft[]> =>
      reserveTokens(submitDependencies(order.ports), {
        application: order.application ?? application,
        idempotency: { scope: `reserve in ${order.contract}`, key: order.key, body: [order.users] },
        contract: order.contract,
        tokens: order.users.map((destination, index) => ({
          destination,
          metadata: someMetadata(`Ticket ${index}`),
        })),
      }),

    /** Runs the scheduled function until every transaction of every signer has a final outcome. */
    untilFinal: (by: Executions = executions): Promise<void> =>
      waitFor(
        async () => {
          await watch(by);
          const states = await ports.signers.list();
          const [unfinished] = states.filter(hasUnfinishedWork);
          if (states.length > 0 && unfinished === undefined) return;
          throw new Error(
            `Unfinished: ${unfinished?.id}, ${unfinished?.finalizedCount} of ${unfinished?.nextNonce}`,
          );
        },
        { interval: 200 },
      ),

    stop: async (): Promise<void> => {
      isStopped = true;
      skipped += 10_000_000;
      await Promise.all(running);
      await anvil.stop();
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;
