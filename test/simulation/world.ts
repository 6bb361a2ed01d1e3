import { type Address, zeroAddress } from '../../shared/chain/hex.ts';
import type { Application } from '../../shared/platform/applications/application.ts';
import { anApplication } from '../support/platform/applications.ts';
import { createCallers } from './callers.ts';
import { createChain, type SimulatedChain } from './chain.ts';
import { createEndpoints, type SimulatedEndpoints } from './endpoints.ts';
import type { Part } from './faults.ts';
import { type Frame, type RunWorld, type World, worldsOf } from './frame.ts';
import type { FunctionSurroundings } from './functions.ts';
import { createInvariants } from './invariants.ts';
import { type Loss, startLoss } from './loss.ts';
import { startMining } from './mining.ts';
import { tables as notificationTables } from './notifications/service.ts';
import { createOperator } from './operator.ts';
import { tables as ottTables } from './ott/tables.ts';
import { type HolderOf, holderAmongUsers } from './reservations/invariants.ts';
import type { AnsweredDeed } from './reservations/told.ts';
import { userEvents } from './reservations/users.ts';
import { createService, type Service, stage, tables } from './service.ts';
import { createStore, type Store } from './store.ts';
import { contractsIn } from './stored.ts';
import { between, oneOf, type Streams } from './streams.ts';
import { createWorkload, type Workload } from './workload.ts';

const minute = 60_000;
const coin = 10n ** 18n;
const riches = 100_000n * coin;

/** The parts of a world of requests that additional actors can use. */
export interface JoinedWorld<OfWorld extends Workload = Workload> extends Frame {
  readonly workload: OfWorld;
  readonly applications: readonly Application[];
  readonly service: Service;
  readonly store: Store;
  readonly chain: SimulatedChain;
  readonly endpoints: SimulatedEndpoints;
  readonly activeMilliseconds: number;
  readonly someContract: ReturnType<typeof createCallers>['someContract'];
}

/** The actors of a world besides its callers. */
interface Joined extends Pick<World, 'comeToRest' | 'checkAll'> {
  /** Called when tables have lost items. */
  readonly onLost: () => void;
  /** What these actors have not done yet. @default nothing */
  readonly unfinished?: World['unfinished'];
  /** The hash of the user for whom a token is reserved, in its contract. @default that of a user of every world */
  readonly holderOf?: HolderOf;
  /** Called when a request is answered that changes a token. */
  readonly onDeed?: (deed: AnsweredDeed) => void;
  readonly onLog?: FunctionSurroundings['onLog'];
}

export const nobody = (): Joined => ({ comeToRest: async () => {}, checkAll: () => {}, onLost: () => {} });

/** Worlds of requests that send transactions, or reserve tokens. */
export const worldsOfRequests = <OfWorld extends Workload>(
  part: Part,
  create: (streams: Streams, applications: readonly [string, ...string[]]) => OfWorld,
  join: (world: JoinedWorld<OfWorld>) => Joined = nobody,
): RunWorld =>
  worldsOf(part, (frame) => {
    const { scheduler, streams, faults, history, startsAt, onViolation, isAsked, sleep } = frame;
    const shape = streams.of('world');
    const onLog: FunctionSurroundings['onLog'] = (...line) => joined.onLog?.(...line);
    const surroundings = { scheduler, streams, history, faults, onLog };

    const [key = zeroAddress, ...otherKeys] = Array.from(
      { length: between(shape, 1, 2) },
      (_, index): Address => `0x${(0x5100 + index).toString(16).padStart(40, '5')}`,
    );
    const keys = [key, ...otherKeys] as const;
    const limits = { contractsPerDay: between(shape, 2, 20), mintsPerDay: oneOf(shape, [8, 40, 1_000]) };
    const ids: readonly [string, ...string[]] = shape() < 0.7 ? ['one'] : ['one', 'two'];
    const applications = ids.map((id) =>
      anApplication({ id, apiKeyIds: [`key-${id}`], clientIds: [], limits }),
    );
    const workload = create(streams, ids);
    if (workload.isCalm) faults.end();

    const isPoor = shape() < 0.1;
    const chain = createChain({
      startsAt,
      streams,
      balances: new Map(keys.map((address) => [address, isPoor ? coin : riches])),
      finalityDepth: between(shape, 1, 6),
      takesReplaced: () => faults.strike('chain: earlier attempt mined', 'chain'),
    });
    const store = createStore({ ...tables, ...ottTables, ...notificationTables }, { now: scheduler.now });
    const invariants = createInvariants({
      store,
      chain,
      loss: () => loss,
      wasTakenBack: () => mining.wasTakenBack(),
      wasKeyUsed: () => mining.wasKeyUsed(),
      applications,
      isPure: workload.isPure,
      holderOf: (...reserved) => (joined.holderOf ?? holderAmongUsers)(...reserved),
      hasStruck: () => faults.struck.length > 0,
      onViolation,
    });
    const endpoints = createEndpoints({
      ...surroundings,
      chain,
      count: between(shape, 1, 3),
      mayAllHideLogs: !workload.revokes,
      onSent: invariants.onSent,
    });
    const mining = startMining({ ...surroundings, chain, endpoints, keys });
    const service = createService({
      ...surroundings,
      store,
      endpoints,
      addresses: keys,
      inFlightCap: oneOf(shape, [2, 16, 256]),
      onEvent: (event) => history.say('event', event),
    });
    for (const application of applications) {
      const { id } = application;
      store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `APPLICATION#${id}`, ...application } });
      store.put({
        TableName: stage.APPLICATIONS_TABLE,
        Item: { pk: `API_KEY#key-${id}`, application_id: id },
      });
    }
    const callers = createCallers({
      ...surroundings,
      service,
      onAnswer: invariants.onAnswer,
      onDeed: (deed) => joined.onDeed?.(deed),
      onViolation,
    });
    const { someContract } = callers;
    for (const request of workload.requests) {
      if (isAsked(`request ${request.id}`)) callers.ask(request, startsAt + request.at);
    }
    const users = userEvents({ store, history, applications: ids, startsAt });
    if (workload.hasOwnUsers !== true) users.register();
    for (const [index, event] of workload.userEvents.entries()) {
      if (isAsked(`user event ${index + 1}`)) scheduler.at(startsAt + event.at, () => users.happen(event));
    }
    const operator = createOperator({
      ...surroundings,
      service,
      chain,
      keys,
      someContract,
    });
    for (const [index, at] of workload.operatorActions.entries()) {
      if (isAsked(`operator ${index + 1}`)) operator.act(index + 1, startsAt + at);
    }

    const { activeMilliseconds } = workload;
    const loss: Loss = startLoss({
      ...surroundings,
      store,
      service,
      applications,
      activeMilliseconds,
      onLost: () => joined.onLost(),
    });
    const joined = join({
      ...frame,
      workload,
      applications,
      service,
      store,
      chain,
      endpoints,
      activeMilliseconds,
      someContract,
    });

    const changeMoods = (): void => {
      endpoints.changeMoods();
      scheduler.at(scheduler.now() + 10_000, changeMoods);
    };
    scheduler.at(startsAt, changeMoods);

    return {
      activeMilliseconds,
      recover: () => {
        endpoints.recover();
        for (const address of keys) chain.fund(address, riches);
      },
      comeToRest: async () => {
        await operator.finish();
        await joined.comeToRest();
        for (let time = 1; time <= 2; time += 1) {
          await sleep(minute);
          // An operator that was suspended may have drained a signer since.
          await operator.finish();
          void callers.askAgain();
        }
        await sleep(minute);
      },
      unfinished: () => [
        ...(loss.isOpen() ? ['what tables have lost'] : []),
        ...invariants.unfinished(),
        ...(joined.unfinished?.() ?? []),
      ],
      checkAll: async () => {
        // An instance may remember a collection that tables have lost for good, without its counter.
        const kept = new Set(contractsIn(store).map(({ address }) => address));
        const isAnyGone = [...chain.head().state.collections.keys()].some((address) => !kept.has(address));
        const isExcused = loss.hasHappened() && isAnyGone;
        const unanswered = workload.isEachAnswered && !isExcused ? callers.unanswered() : [];
        for (const id of unanswered) onViolation(`Request ${id} gets no answer for its key`);
        if (!loss.hasHappened()) await invariants.whileNothingIsWritten(callers.repeatAnswered);
        invariants.checkAll();
        await joined.checkAll();
      },
    };
  });

export const runWorld = worldsOfRequests('money', createWorkload);
