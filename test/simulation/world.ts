import { type Address, zeroAddress } from '../../shared/nft/hex.ts';
import { anApplication } from '../support/platform/applications.ts';
import { createCallers } from './callers.ts';
import { createChain } from './chain.ts';
import { createEndpoints } from './endpoints.ts';
import { createFaults } from './faults.ts';
import { createHistory, type Kept } from './history.ts';
import { createInvariants } from './invariants.ts';
import { startMining } from './mining.ts';
import { createOperator } from './operator.ts';
import { createScheduler } from './scheduler.ts';
import { createService, stage, tables } from './service.ts';
import { createStore } from './store.ts';
import { between, createStreams, oneOf } from './streams.ts';
import { createWorkload } from './workload.ts';

export interface WorldOptions {
  readonly seed: number;
  /** Parts, or kinds of faults, that are left out. @default none */
  readonly without?: ReadonlySet<string>;
  /** @default nothing */
  readonly keeps?: Kept;
}

export interface WorldResult {
  readonly seed: number;
  /** What did not hold. Empty if the world is as it must be. */
  readonly violations: readonly string[];
  readonly history: readonly string[];
  /** The faults that struck. */
  readonly struck: readonly string[];
  /** What can be left out of the world: requests, an operator's actions, and faults. */
  readonly parts: readonly string[];
}

const startsAt = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
/** How long after the last fault everything must be decided. */
const quietAtMost = 20 * minute;
const coin = 10n ** 18n;
const riches = 100_000n * coin;

/** One world: everything that happens in it follows from its seed. */
export const runWorld = async ({
  seed,
  without = new Set(),
  keeps = 'nothing',
}: WorldOptions): Promise<WorldResult> => {
  const scheduler = createScheduler(startsAt);
  const streams = createStreams(seed);
  const history = createHistory(scheduler, keeps);
  const faults = createFaults(streams, { without });
  const shape = streams.of('world');
  const surroundings = { scheduler, streams, history, faults };
  const violations: string[] = [];
  const onViolation = (what: string): void => {
    if (violations.includes(what)) return;
    violations.push(what);
    history.say('violation', what);
  };

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
  const workload = createWorkload(streams, ids);

  const isPoor = shape() < 0.1;
  const chain = createChain({
    startsAt,
    streams,
    balances: new Map(keys.map((address) => [address, isPoor ? coin : riches])),
    finalityDepth: between(shape, 1, 6),
    takesReplaced: () => faults.strike('chain: earlier attempt mined', 'chain'),
  });
  const store = createStore(tables, { now: scheduler.now });
  const invariants = createInvariants({
    store,
    chain,
    wasTakenBack: () => mining.wasTakenBack(),
    wasKeyUsed: () => mining.wasKeyUsed(),
    applications,
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
    store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `API_KEY#key-${id}`, application_id: id } });
  }
  const callers = createCallers({ ...surroundings, service, onAnswer: invariants.onAnswer });
  const asked: string[] = [];
  const isAsked = (part: string): boolean => {
    if (without.has(part)) return false;
    asked.push(part);
    return true;
  };
  for (const request of workload.requests) {
    if (isAsked(`request ${request.id}`)) callers.ask(request, startsAt + request.at);
  }
  const operator = createOperator({
    ...surroundings,
    service,
    chain,
    keys,
    someContract: callers.someContract,
  });
  for (const [index, at] of workload.operatorActions.entries()) {
    if (isAsked(`operator ${index + 1}`)) operator.act(index + 1, startsAt + at);
  }

  const changeMoods = (): void => {
    endpoints.changeMoods();
    scheduler.at(scheduler.now() + 10_000, changeMoods);
  };
  scheduler.at(startsAt, changeMoods);

  let quietSince: number | undefined;
  const endsAt = startsAt + workload.activeMilliseconds;
  scheduler.at(endsAt, () => {
    faults.end();
    endpoints.recover();
    for (const address of keys) chain.fund(address, riches);
    history.say('world', 'no more faults from here on');
    scheduler.at(endsAt + minute, () => {
      void callers.askAgain();
      scheduler.at(endsAt + 2 * minute, () => {
        quietSince = scheduler.now();
      });
    });
  });
  let checkedAt = 0;
  await scheduler.run(() => {
    if (violations.length > 0) return true;
    if (quietSince === undefined || scheduler.now() < checkedAt + 1_000) return false;
    checkedAt = scheduler.now();
    const unsettled = invariants.unsettled();
    if (unsettled.length === 0) return true;
    if (scheduler.now() - quietSince < quietAtMost) return false;
    onViolation(`Nothing decides ${unsettled.join('; ')}`);
    return true;
  });
  if (violations.length === 0) invariants.checkAll();
  const { struck } = faults;
  return { seed, violations, history: history.lines, struck, parts: [...asked, ...struck] };
};
