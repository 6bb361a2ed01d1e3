import { redeliveryCodes } from '../../platform/watched.ts';
import { type Endpoint, type EndpointKey, isFailing, isSubscribed } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { NotificationTopic } from '../ports/notification-topic.ts';
import type { Redeliveries } from '../ports/redeliveries.ts';
import type { Replays } from '../ports/replays.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import type { NotificationRecord } from '../record/record.ts';
import { pauseAfter } from '../replay/pace.ts';
import { replayPlaces } from '../replay/replay-places.ts';
import { firstIdOf, markSentAgain } from '../replay/republish.ts';
import { replayLeaseMilliseconds } from '../replay/run-replay.ts';
import { type FoldFailuresDependencies, foldFailures } from './fold-failures.ts';
import { workerWithinMilliseconds } from './ladder-settings.ts';
import { pauseOf } from './redelivery.ts';
import type { UndeliveredRow } from './undelivered-row.ts';
import { firstLookMilliseconds, judged, nextLookAt, subjectVerdict } from './verdict.ts';

export interface RunRedeliveryDependencies extends FoldFailuresDependencies {
  readonly endpoints: Pick<Endpoints, 'find'>;
  readonly redeliveries: Pick<Redeliveries, 'looked' | 'probed' | 'probeRefused' | 'lookAgain' | 'end'>;
  readonly undelivered: FoldFailuresDependencies['undelivered'] &
    Pick<Undelivered, 'soonest' | 'take' | 'change' | 'remove' | 'count'>;
  readonly records: Pick<NotificationRecords, 'sentBetween' | 'ofSubject' | 'markRedriven'>;
  readonly replays: Pick<Replays, 'find' | 'opened' | 'hold' | 'release'>;
  readonly topic: NotificationTopic;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** `unfinished`: `until` was reached. `looking`: what was sent may soon be accepted. */
export type RedeliveryOutcome = 'ended' | 'unfinished' | 'looking';

const rowsAtOnce = 20;
/** How long a redelivery waits while a replay of its application runs. */
const yieldMilliseconds = 60_000;
/** A row that is due within this time is waited for. */
const soonMilliseconds = 30_000;
/** Until then, the index of rows has noticed what was done. */
const shortestPauseMilliseconds = 200;
const minute = 60_000;
/** How often the record is asked about a row that was given up. */
const askGivenUpMilliseconds = 12 * 60 * minute;

/** Sends the newest message about a subject again, to one endpoint. Returns the message's id. */
const sendAgain = async (
  { topic, records, clock }: RunRedeliveryDependencies,
  { applicationId, id: endpointId, destination }: Endpoint,
  newest: NotificationRecord,
  about: readonly NotificationRecord[],
): Promise<string> => {
  // Before it is published, since it can be delivered at once.
  const at = clock();
  const [outcome] = await topic.publish([
    { applicationId, endpointId, message: newest.message, replayOf: firstIdOf(newest) },
  ]);
  if (outcome?.isPublished !== true) throw new Error(outcome?.reason ?? 'no answer');
  await markSentAgain(records, { about, to: [destination], at });
  return outcome.messageId;
};

const isWanted = ({ message: { operationType } }: UndeliveredRow, { operationTypes }: Endpoint): boolean =>
  operationType !== 'test' && operationTypes.includes(operationType);

/**
 * Takes a row, asks the record, and sends the row's message if it is to be sent now. A row that is given up is only asked
 * about.
 * @returns the id of the message that was sent.
 */
const serve = async (
  dependencies: RunRedeliveryDependencies,
  endpoint: Endpoint,
  row: UndeliveredRow,
): Promise<string | undefined> => {
  const { undelivered, records, ladder, clock } = dependencies;
  const taken = await undelivered.take(endpoint, row, { until: clock() + workerWithinMilliseconds });
  if (taken === undefined) return undefined;
  const isFormer = taken.publishedAt <= (endpoint.formerlyRemovedAt ?? 0);
  const remove = () => undelivered.remove(endpoint, taken);
  if (isFormer || !isWanted(taken, endpoint)) {
    await remove();
    return undefined;
  }
  const { applicationId } = endpoint;
  const { message, copy } = taken;
  const about = await records.ofSubject({ applicationId, message });
  const now = clock();
  const verdict = subjectVerdict(about, { endpoint, copy, ladder, now });
  if (verdict.kind === 'accepted') await remove();
  if (verdict.kind === 'under way')
    await undelivered.change(endpoint, taken, { ...taken, nextAt: nextLookAt(verdict, now) });
  if (verdict.kind !== 'undelivered') return undefined;

  const { attempt, isGivenUp, nextAt } = judged(taken, { records: about, endpoint, ladder, now });
  if (isGivenUp || nextAt > now) {
    await undelivered.change(endpoint, taken, {
      attempt,
      isGivenUp,
      nextAt: isGivenUp ? now + askGivenUpMilliseconds : nextAt,
      copy: undefined,
    });
    return undefined;
  }
  const id = await sendAgain(dependencies, endpoint, verdict.newest, about);
  const publishedAt = clock();
  await undelivered.change(endpoint, taken, {
    attempt,
    isGivenUp,
    // The outcome of a probe is asked for when the endpoint works again, or at the next step of its ladder.
    nextAt: publishedAt + (isFailing(endpoint) ? 0 : firstLookMilliseconds),
    copy: { id, publishedAt },
  });
  return id;
};

/** How many pages of rows are looked at for a probe. */
const probePages = 10;

/** Moves the ladder of an endpoint that fails by one step, if it is due. Returns whether it moved. */
const climb = async (dependencies: RunRedeliveryDependencies, endpoint: Endpoint): Promise<boolean> => {
  const { redeliveries, undelivered, ladder, clock } = dependencies;
  const { applicationId, id, redelivery } = endpoint;
  const now = clock();
  if (redelivery === undefined || redelivery.isPaused || (redelivery.nextAt ?? 0) > now) return false;
  const { probeId, attempt } = redelivery;
  if (probeId !== undefined) {
    const nextAt = now + pauseOf(ladder, attempt);
    await redeliveries.probeRefused({ applicationId, id, probeId, nextAt });
    return true;
  }
  if (attempt >= ladder.steps.length) return false;
  for (let page = 0; page < probePages; page += 1) {
    const rows = await undelivered.soonest(endpoint, { isGivenUp: false, until: now, limit: rowsAtOnce });
    for (const row of rows) {
      const sent = await serve(dependencies, endpoint, row);
      if (sent === undefined) continue;
      await redeliveries.probed(endpoint, { probeId: sent, nextAt: clock() + ladder.outcomeWithin });
      return true;
    }
    if (rows.length < rowsAtOnce) return false;
  }
  return false;
};

/** Ends a look: ends the redelivery if there is no row, or decides when something is sent next. */
const conclude = async (
  { redeliveries, undelivered, ladder, clock, logger }: RunRedeliveryDependencies,
  endpoint: Endpoint,
): Promise<RedeliveryOutcome> => {
  const { applicationId, id, redelivery } = endpoint;
  if (redelivery === undefined) return 'ended';
  if ((await undelivered.count(endpoint, 1)) === 0) {
    await redeliveries.end(endpoint);
    return 'ended';
  }
  const [[first], [givenUp]] = await Promise.all([
    undelivered.soonest(endpoint, { isGivenUp: false, limit: 1 }),
    undelivered.soonest(endpoint, { isGivenUp: true, limit: 1 }),
  ]);
  const now = clock();
  const isDown = isFailing(endpoint);
  const hasChanged = redelivery.rowsChangedAt > now - minute;
  const { nextAt: stepAt = 0, attempt, probeId, isPaused } = redelivery;
  const isLast = isDown && attempt >= ladder.steps.length && probeId === undefined;
  const isUsedUp = isLast && (isPaused || stepAt <= now);
  const isOver = isUsedUp || (!hasChanged && first === undefined && givenUp !== undefined);
  if (isOver && !isPaused) {
    // Logged before the state is written, so that a crash in between cannot suppress the log line.
    logger.warn('Redelivery is paused', {
      code: redeliveryCodes.redeliveryPaused,
      count: 1,
      application: applicationId,
      endpoint: id,
    });
  }
  const rowAt = first === undefined ? now + minute : Math.max(first.nextAt, now);
  const nextAt = isDown && stepAt > now ? stepAt : rowAt;
  const looks = [
    // The index of rows may not have noticed it yet.
    ...(hasChanged ? [now + minute] : []),
    ...(isOver ? [] : [nextAt]),
    ...(isDown || givenUp === undefined ? [] : [givenUp.nextAt]),
  ];
  const lookAt = looks.length === 0 ? undefined : Math.min(...looks);
  const isLooked = await redeliveries.looked(endpoint, { lookAt, nextAt: isOver ? undefined : nextAt });
  const isSoon = isLooked && !isDown && lookAt !== undefined && lookAt <= now + soonMilliseconds;
  return isSoon ? 'looking' : 'ended';
};

const look = async (
  dependencies: RunRedeliveryDependencies,
  key: EndpointKey,
  { holder, until }: { readonly holder: string; readonly until: number },
): Promise<RedeliveryOutcome> => {
  const { endpoints, redeliveries, undelivered, replays, clock, wait } = dependencies;
  const { applicationId } = key;
  const noteChange = () => {
    const now = clock();
    return redeliveries.lookAgain(key, { at: now + workerWithinMilliseconds, rowsChangedAt: now });
  };
  for (let isFolded = false; ; ) {
    const now = clock();
    if (now >= until) return 'unfinished';
    const places = await replayPlaces({ replays, clock }, applicationId);
    const isFree =
      places.every(({ isLeft }) => isLeft) &&
      (await replays.hold({ applicationId, holder, now, until: now + replayLeaseMilliseconds }));
    if (!isFree) {
      await redeliveries.lookAgain(key, { at: now + yieldMilliseconds });
      return 'ended';
    }
    const endpoint = await endpoints.find(key);
    if (endpoint?.redelivery === undefined || !isSubscribed(endpoint)) return 'ended';
    if (!isFolded) {
      const folded = await foldFailures(dependencies, endpoint, { until });
      if (folded !== 'nothing') await noteChange();
      if (folded === 'unfinished') return folded;
      isFolded = true;
      if (folded === 'some') continue;
    }
    if (isFailing(endpoint)) {
      if (await climb(dependencies, endpoint)) continue;
      return conclude(dependencies, endpoint);
    }
    let sent = 0;
    let isServed = false;
    for (const isGivenUp of [false, true]) {
      const rows = await undelivered.soonest(key, { isGivenUp, until: clock(), limit: rowsAtOnce });
      for (const row of rows) {
        isServed = true;
        if ((await serve(dependencies, endpoint, row)) !== undefined) sent += 1;
      }
    }
    if (!isServed) return conclude(dependencies, endpoint);
    await noteChange();
    await wait(Math.max(shortestPauseMilliseconds, pauseAfter(sent, clock() - now)));
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

/** Looks at all endpoints of an application, after a replay: it may have sent what a redelivery would send much later. */
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
