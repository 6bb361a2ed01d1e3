import type { Address } from '../../shared/nft/hex.ts';
import { anApplication } from '../support/platform/applications.ts';
import { createCallers, type RequestKind } from './callers.ts';
import { blockMilliseconds, createChain } from './chain.ts';
import { createEndpoints } from './endpoints.ts';
import { createFaults } from './faults.ts';
import { createHistory } from './history.ts';
import { createInvariants } from './invariants.ts';
import { createScheduler } from './scheduler.ts';
import { createService, simulatedSigner, stage, tables } from './service.ts';
import { createStore } from './store.ts';
import { between, createStreams, oneOf } from './streams.ts';

export interface WorldOptions {
  readonly seed: number;
  /** Faults, or kinds of them, that do not strike although they would. @default none */
  readonly without?: ReadonlySet<string>;
  /** @default false */
  readonly keepsHistory?: boolean;
}

export interface WorldResult {
  readonly seed: number;
  /** What did not hold. Empty if the world is as it must be. */
  readonly violations: readonly string[];
  readonly history: readonly string[];
  /** The faults that struck. */
  readonly struck: readonly string[];
}

const startsAt = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
/** How long after the last fault everything must be decided. */
const quietAtMost = 20 * minute;
const coin = 10n ** 18n;
const gwei = 1_000_000_000n;

const kinds: readonly [RequestKind, ...RequestKind[]] = [
  'mint',
  'mint',
  'mint',
  'batch',
  'batch',
  'metadata',
  'contract metadata',
  'royalty',
  'revoke',
  'deploy',
];

/** One world: everything that happens in it follows from its seed. */
export const runWorld = async ({
  seed,
  without = new Set(),
  keepsHistory = false,
}: WorldOptions): Promise<WorldResult> => {
  const scheduler = createScheduler(startsAt);
  const streams = createStreams(seed);
  const history = createHistory(scheduler, keepsHistory);
  const faults = createFaults(streams, { without });
  const shape = streams.of('world');
  const surroundings = { scheduler, streams, history, faults };
  const violations: string[] = [];
  const onViolation = (what: string): void => {
    if (violations.includes(what)) return;
    violations.push(what);
    history.say('violation', what);
  };

  const addresses = Array.from(
    { length: between(shape, 1, 2) },
    (_, index): Address => `0x${(0x5100 + index).toString(16).padStart(40, '5')}`,
  );
  const chain = createChain({
    startsAt,
    streams,
    balances: new Map(addresses.map((address) => [address, 1_000n * coin])),
    finalityDepth: between(shape, 1, 6),
    takesReplaced: () => faults.strike('chain: earlier attempt mined', 'chain'),
  });
  const store = createStore(tables, { now: scheduler.now });
  const invariants = createInvariants({ store, chain, wasTakenBack: () => false, onViolation });
  const endpoints = createEndpoints({
    ...surroundings,
    chain,
    count: between(shape, 1, 3),
    onSent: invariants.onSent,
  });
  const service = createService({
    ...surroundings,
    store,
    endpoints,
    signers: addresses.map((address, index) => simulatedSigner(address, index + 1, streams)),
    inFlightCap: oneOf(shape, [2, 16, 256]),
    onEvent: (event) => history.say('event', event),
  });
  const limits = { contractsPerDay: 20, mintsPerDay: oneOf(shape, [8, 40, 1_000]) };
  const applications = Array.from({ length: between(shape, 1, 2) }, (_, index) => {
    const id = ['one', 'two'][index] ?? 'one';
    return anApplication({ id, apiKeyIds: [`key-${id}`], clientIds: [], limits });
  });
  for (const application of applications) {
    const { id } = application;
    store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `APPLICATION#${id}`, ...application } });
    store.put({ TableName: stage.APPLICATIONS_TABLE, Item: { pk: `API_KEY#key-${id}`, application_id: id } });
  }
  const [first = anApplication(), ...others] = applications;
  const callers = createCallers({
    ...surroundings,
    service,
    applications: [first, ...others],
    onAnswer: invariants.onAnswer,
  });

  const activeMilliseconds = between(shape, 30_000, 3 * minute);
  const requests = between(shape, 3, 14);
  for (let id = 1; id <= requests; id += 1) {
    const application = oneOf(shape, [first, ...others]).id;
    const kind = id <= applications.length ? ('deploy' as const) : oneOf(shape, kinds);
    const key = shape() < 0.8 ? `key ${id}` : undefined;
    const at = id <= applications.length ? 0 : between(shape, 0, activeMilliseconds);
    const owner = id <= applications.length ? (applications[id - 1]?.id ?? application) : application;
    callers.ask({ id, kind, application: owner, key }, startsAt + at);
  }

  let quietSince: number | undefined;
  const mineBlock = (): void => {
    const now = scheduler.now();
    if (faults.strike('chain: reorganization', 'chain')) {
      const depth = Math.min(
        chain.head().number - chain.finalHeight(),
        between(streams.of('reorganizations'), 1, 5),
      );
      history.say('chain', `the newest ${depth} blocks are replaced`);
      if (depth > 0) chain.reorganize(depth, now);
    }
    if (faults.strike('chain: pool forgets', 'chain')) {
      history.say('chain', 'all pools are emptied');
      chain.forgetPool();
    }
    chain.mine(now, faults.strike('chain: mines nothing', 'chain'));
    chain.advanceFinality();
    if (keepsHistory) {
      const { number, hash, mined } = chain.head();
      const nonces = mined.map(
        ({ sent, isSuccess }) => `${sent.from.slice(-2)} ${sent.nonce}${isSuccess ? '' : ' reverted'}`,
      );
      if (nonces.length > 0) history.say('chain', `block ${number} ${hash} has ${nonces.join(', ')}`);
    }
    const rise = faults.strike('chain: fees rise', 'chain');
    const fee = chain.baseFee();
    chain.setBaseFee(rise ? fee * 2n : fee > 30n * gwei ? (fee * 7n) / 8n : 30n * gwei);
    scheduler.at(now + blockMilliseconds, mineBlock);
  };
  scheduler.at(startsAt + blockMilliseconds, mineBlock);
  const moods = (): void => {
    endpoints.changeMoods();
    scheduler.at(scheduler.now() + 10_000, moods);
  };
  scheduler.at(startsAt, moods);

  const endsAt = startsAt + activeMilliseconds;
  scheduler.at(endsAt, () => {
    faults.end();
    endpoints.recover(() => false);
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
  return { seed, violations, history: history.lines, struck: faults.struck };
};
