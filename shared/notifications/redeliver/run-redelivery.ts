import { redeliveryCodes } from '../../platform/watched.ts';
import { type Endpoint, type EndpointKey, isFailing, isSubscribed } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { Redeliveries } from '../ports/redeliveries.ts';
import type { Replays } from '../ports/replays.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import { pauseAfter } from '../replay/pace.ts';
import { replayPlaces } from '../replay/replay-places.ts';
import { replayLeaseMilliseconds } from '../replay/run-replay.ts';
import { type FoldFailuresDependencies, foldFailures } from './fold-failures.ts';
import { lookAgainAfter } from './ladder-settings.ts';
import { type Ladder, pauseOf, type Redelivery } from './redelivery.ts';
import { type ServeRowDependencies, serveRow } from './serve-row.ts';
import type { UndeliveredRow } from './undelivered-row.ts';

export interface RunRedeliveryDependencies extends FoldFailuresDependencies, ServeRowDependencies {
  readonly endpoints: Pick<Endpoints, 'find'>;
  readonly redeliveries: Pick<Redeliveries, 'looked' | 'probed' | 'probeRefused' | 'lookAgain' | 'end'>;
  readonly undelivered: FoldFailuresDependencies['undelivered'] &
    ServeRowDependencies['undelivered'] &
    Pick<Undelivered, 'soonest' | 'count'>;
  readonly records: FoldFailuresDependencies['records'] & ServeRowDependencies['records'];
  readonly replays: Pick<Replays, 'find' | 'opened' | 'hold' | 'release'>;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** `unfinished`: `until` was reached. `looking`: what was sent may soon be accepted. */
export type RedeliveryOutcome = 'ended' | 'unfinished' | 'looking';

/** How many rows are read at once, and how many times at most for a probe. */
const rowsAtOnce = 20;
const probePages = 10;

/** After how many milliseconds the index of rows has noticed what was done. */
const indexNotices = { usually: 200, atTheLatest: 60_000 };

/** A look is not ended while something is due within this time. */
const soonMilliseconds = 30_000;

/** An endpoint that has a redelivery. */
type Undelivering = Endpoint & { readonly redelivery: Redelivery };
const isUndelivering = (endpoint: Endpoint): endpoint is Undelivering => endpoint.redelivery !== undefined;

type Act = 'serve' | 'refuse' | 'probe' | 'conclude';

/**
 * What a look does with an endpoint when its rows of messages are rows of subjects. While the endpoint fails, this is its
 * ladder.
 *
 * | The endpoint | Its redelivery | Act |
 * |---|---|---|
 * | does not fail | any | `serve`: its due rows are sent |
 * | fails | is paused, or neither a step nor the end of the wait for a probe is due | `conclude` |
 * | fails | has waited for a probe until now | `refuse`: the probe counts as refused, and the next step begins |
 * | fails | is due for a step | `probe`: the due row that has waited longest is sent |
 * | fails | has had its last step | `conclude`, which pauses it |
 *
 * After an act that did something, the endpoint is looked at anew. After one that did not, as without a due row, comes
 * `conclude`.
 */
const actOf = (
  endpoint: Undelivering,
  { ladder, now }: { readonly ladder: Pick<Ladder, 'steps'>; readonly now: number },
): Act => {
  const { isPaused, nextAt = 0, probeId, attempt } = endpoint.redelivery;
  if (!isFailing(endpoint)) return 'serve';
  if (isPaused || nextAt > now) return 'conclude';
  if (probeId !== undefined) return 'refuse';
  return attempt < ladder.steps.length ? 'probe' : 'conclude';
};

/** Sends the rows that are due, and asks the record about those that were given up. Returns whether there were any. */
const serve = async (
  dependencies: RunRedeliveryDependencies,
  endpoint: Undelivering,
  /** When this turn of the look began. */
  since: number,
): Promise<boolean> => {
  const { undelivered, redeliveries, clock, wait } = dependencies;
  let sent = 0;
  let isServed = false;
  for (const isGivenUp of [false, true]) {
    const rows = await undelivered.soonest(endpoint, { isGivenUp, until: clock(), limit: rowsAtOnce });
    for (const row of rows) {
      isServed = true;
      if ((await serveRow(dependencies, endpoint, row)) !== undefined) sent += 1;
    }
  }
  if (!isServed) return false;
  await noteChange({ redeliveries, clock }, endpoint);
  await wait(Math.max(indexNotices.usually, pauseAfter(sent, clock() - since)));
  return true;
};

const noteChange = (
  { redeliveries, clock }: Pick<RunRedeliveryDependencies, 'redeliveries' | 'clock'>,
  key: EndpointKey,
): Promise<void> => {
  const now = clock();
  return redeliveries.lookAgain(key, { at: now + lookAgainAfter.worker, rowsChangedAt: now });
};

/** Begins the next step after a probe that was not accepted. */
const refuse = async (
  { redeliveries, ladder, clock }: RunRedeliveryDependencies,
  { applicationId, id, redelivery: { probeId = '', attempt } }: Undelivering,
): Promise<true> => {
  const nextAt = clock() + pauseOf(ladder, attempt);
  await redeliveries.probeRefused({ applicationId, id, probeId, nextAt });
  return true;
};

/** Sends a probe, unless no row that is due is to be sent. Returns whether it did. */
const probe = async (dependencies: RunRedeliveryDependencies, endpoint: Undelivering): Promise<boolean> => {
  const { redeliveries, undelivered, ladder, clock } = dependencies;
  const now = clock();
  for (let page = 0; page < probePages; page += 1) {
    const rows = await undelivered.soonest(endpoint, { isGivenUp: false, until: now, limit: rowsAtOnce });
    for (const row of rows) {
      const probeId = await serveRow(dependencies, endpoint, row);
      if (probeId === undefined) continue;
      await redeliveries.probed(endpoint, { probeId, nextAt: clock() + ladder.outcomeWithin });
      return true;
    }
    if (rows.length < rowsAtOnce) return false;
  }
  return false;
};

/**
 * When something is sent next to an endpoint that has rows.
 *
 * | The endpoint | Its rows | Something is sent |
 * |---|---|---|
 * | fails, and has had its last step and what it waited for | any | not any more: redelivery is paused |
 * | any | are all given up | not any more: redelivery is paused |
 * | fails, and its next step is not due | any | at the step |
 * | any other | any other | when the soonest row is due, or in a minute if the index has none yet |
 *
 * The endpoint is looked at then. Sooner, if the index of rows may not have noticed everything, or if the endpoint works
 * and the record is asked about a row that was given up.
 */
const nextOf = (
  endpoint: Undelivering,
  {
    first,
    givenUp,
    ladder,
    now,
  }: {
    /** The soonest row that was not given up, if the index has noticed one. */
    readonly first: UndeliveredRow | undefined;
    /** The soonest row that was given up, if the index has noticed one. */
    readonly givenUp: UndeliveredRow | undefined;
    readonly ladder: Pick<Ladder, 'steps'>;
    readonly now: number;
  },
): { readonly nextAt: number | undefined; readonly lookAt: number | undefined } => {
  const isDown = isFailing(endpoint);
  const { nextAt: stepAt = 0, attempt, probeId, isPaused, rowsChangedAt } = endpoint.redelivery;
  const hasChanged = rowsChangedAt > now - indexNotices.atTheLatest;
  const isLast = isDown && attempt >= ladder.steps.length && probeId === undefined;
  const isUsedUp = isLast && (isPaused || stepAt <= now);
  const isOver = isUsedUp || (!hasChanged && first === undefined && givenUp !== undefined);
  const rowAt = first === undefined ? now + indexNotices.atTheLatest : Math.max(first.nextAt, now);
  const nextAt = isDown && stepAt > now ? stepAt : rowAt;
  const looks = [
    ...(hasChanged ? [now + indexNotices.atTheLatest] : []),
    ...(isOver ? [] : [nextAt]),
    ...(isDown || givenUp === undefined ? [] : [givenUp.nextAt]),
  ];
  return {
    nextAt: isOver ? undefined : nextAt,
    lookAt: looks.length === 0 ? undefined : Math.min(...looks),
  };
};

/** Ends a look: ends the redelivery if there is no row, or decides when something is sent next. */
const conclude = async (
  { redeliveries, undelivered, ladder, clock, logger }: RunRedeliveryDependencies,
  endpoint: Undelivering,
): Promise<RedeliveryOutcome> => {
  const { applicationId, id, redelivery } = endpoint;
  if ((await undelivered.count(endpoint, 1)) === 0) {
    await redeliveries.end(endpoint);
    return 'ended';
  }
  const [[first], [givenUp]] = await Promise.all([
    undelivered.soonest(endpoint, { isGivenUp: false, limit: 1 }),
    undelivered.soonest(endpoint, { isGivenUp: true, limit: 1 }),
  ]);
  const now = clock();
  const next = nextOf(endpoint, { first, givenUp, ladder, now });
  if (next.nextAt === undefined && !redelivery.isPaused) {
    // Logged before the state is written, so that a crash in between cannot suppress the log line.
    logger.warn('Redelivery is paused', {
      code: redeliveryCodes.redeliveryPaused,
      count: 1,
      application: applicationId,
      endpoint: id,
    });
  }
  const isLooked = await redeliveries.looked(endpoint, next);
  const { lookAt } = next;
  const isSoon = isLooked && !isFailing(endpoint) && lookAt !== undefined && lookAt <= now + soonMilliseconds;
  return isSoon ? 'looking' : 'ended';
};

const acts = { serve, refuse, probe } satisfies Record<Exclude<Act, 'conclude'>, unknown>;

const look = async (
  dependencies: RunRedeliveryDependencies,
  key: EndpointKey,
  { holder, until }: { readonly holder: string; readonly until: number },
): Promise<RedeliveryOutcome> => {
  const { endpoints, redeliveries, replays, ladder, clock } = dependencies;
  const { applicationId } = key;
  for (let isFolded = false; ; ) {
    const now = clock();
    if (now >= until) return 'unfinished';
    const places = await replayPlaces({ replays, clock }, applicationId);
    const isFree =
      places.every(({ isLeft }) => isLeft) &&
      (await replays.hold({ applicationId, holder, now, until: now + replayLeaseMilliseconds }));
    if (!isFree) {
      await redeliveries.lookAgain(key, { at: now + lookAgainAfter.replay });
      return 'ended';
    }
    const endpoint = await endpoints.find(key);
    if (endpoint === undefined || !isUndelivering(endpoint) || !isSubscribed(endpoint)) return 'ended';
    if (!isFolded) {
      const folded = await foldFailures(dependencies, endpoint, { until });
      if (folded !== 'nothing') await noteChange(dependencies, key);
      if (folded === 'unfinished') return folded;
      isFolded = true;
      if (folded === 'some') continue;
    }
    const act = actOf(endpoint, { ladder, now: clock() });
    const isDone = act !== 'conclude' && (await acts[act](dependencies, endpoint, now));
    if (!isDone) return conclude(dependencies, endpoint);
  }
};

/**
 * Looks at an endpoint that has not accepted everything: docs/undelivered.md.
 * - Turns its rows of messages into rows of subjects.
 * - While it fails, sends one row as a probe, if its ladder is due. Otherwise sends the rows that are due, 20 a second.
 * - If no row is left, ends the redelivery.
 * Yields to the replays that customers request. If the outcome is not `ended`, call this function again.
 */
export const runRedelivery = async (
  dependencies: RunRedeliveryDependencies,
  { applicationId, id, holder, until }: EndpointKey & { readonly holder: string; readonly until: number },
): Promise<RedeliveryOutcome> => {
  try {
    return await look(dependencies, { applicationId, id }, { holder, until });
  } finally {
    await dependencies.replays.release({ applicationId, holder });
  }
};

/**
 * Looks at all endpoints of an application, after a replay: it may have sent what a redelivery would send much later.
 */
export const runRedeliveries = async (
  dependencies: RunRedeliveryDependencies & { readonly endpoints: Pick<Endpoints, 'ofApplication'> },
  worker: { readonly applicationId: string; readonly holder: string; readonly until: number },
): Promise<RedeliveryOutcome> => {
  const outcomes = new Set<RedeliveryOutcome>();
  for (const { id, redelivery } of await dependencies.endpoints.ofApplication(worker.applicationId)) {
    if (redelivery !== undefined) outcomes.add(await runRedelivery(dependencies, { ...worker, id }));
  }
  const [outcome = 'ended'] = (['unfinished', 'looking'] as const).filter((each) => outcomes.has(each));
  return outcome;
};
