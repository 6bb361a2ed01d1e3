import { isFailing } from '../endpoints/endpoint.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { NotificationTopic } from '../ports/notification-topic.ts';
import type { DueEndpoint, Redeliveries, Sweep } from '../ports/redeliveries.ts';
import type { Replays } from '../ports/replays.ts';
import type { NotificationRecord } from '../record/record.ts';
import { replayPlaces } from '../replay/replay-places.ts';
import { firstIdOf } from '../replay/republish.ts';
import { pauseAfter, replayLeaseMilliseconds } from '../replay/run-replay.ts';
import { type LookForUndeliveredDependencies, lookForUndelivered } from './look-for-undelivered.ts';
import { knownAfter, type SweepState } from './redelivery.ts';
import { type EndpointInRedelivery, failedPage, judgedSubjects } from './undelivered.ts';

export interface RunRedeliveryDependencies extends LookForUndeliveredDependencies {
  readonly records: Pick<NotificationRecords, 'list' | 'positionOf' | 'ofSubject' | 'markRedriven'>;
  readonly redeliveries: LookForUndeliveredDependencies['redeliveries'] &
    Pick<Redeliveries, 'begin' | 'advance' | 'probed' | 'putOff' | 'clear'>;
  readonly replays: Pick<Replays, 'find' | 'opened' | 'hold' | 'release'>;
  readonly topic: NotificationTopic;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** How long a redelivery waits while a replay of its application runs. */
const yieldMilliseconds = 60_000;

/** Sends the newest message about a subject again, to one endpoint. Returns the message's id. */
const sendAgain = async (
  { topic, records, clock }: RunRedeliveryDependencies,
  { applicationId, id: endpointId, destination }: EndpointInRedelivery,
  newest: NotificationRecord,
  about: readonly NotificationRecord[],
): Promise<string> => {
  const [outcome] = await topic.publish([
    { applicationId, endpointId, message: newest.message, replayOf: firstIdOf(newest) },
  ]);
  if (outcome?.isPublished !== true) throw new Error(outcome?.reason ?? 'no answer');
  const at = clock();
  for (const { id, deliveries } of about) {
    const isOpen = deliveries.some(
      (each) => each.destination === destination && !each.isDelivered && each.redrivenAt === undefined,
    );
    if (isOpen) await records.markRedriven({ messageId: id, destination, at });
  }
  return outcome.messageId;
};

const sooner = (one: number | undefined, other: number): number =>
  one === undefined ? other : Math.min(one, other);

/**
 * Ends a sweep that came to the end of the list.
 * @returns `looking` if it may be known soon that everything is accepted.
 */
const conclude = async (
  { redeliveries, ladder, clock }: RunRedeliveryDependencies,
  sweep: Sweep,
  { redelivery }: EndpointInRedelivery,
  { at, leftAt, gaveUp, failures }: Omit<SweepState, 'next' | 'id'>,
): Promise<'ended' | 'looking'> => {
  const now = clock();
  const outcomesAt = redelivery.failureNotedAt + ladder.outcomesWithin;
  const again = Math.max(outcomesAt, now + ladder.outcomesWithin);
  if (leftAt !== undefined) {
    const nextAt = Math.max(leftAt, now);
    const isPutOff = await redeliveries.putOff(sweep, { nextAt, isUnlessFailed: true });
    if (!isPutOff) await redeliveries.putOff(sweep, { nextAt: Math.min(nextAt, again) });
    return 'looking';
  }
  const end = () =>
    gaveUp
      ? redeliveries.putOff(sweep, { nextAt: now, attempt: ladder.steps.length, isUnlessFailed: true })
      : redeliveries.clear(sweep);
  if (outcomesAt <= at && (await end())) return 'ended';
  const isAccepted = !gaveUp && redelivery.failureNotedAt + knownAfter(ladder) <= at;
  await redeliveries.putOff(sweep, { nextAt: again, ...(isAccepted && { acceptedFailures: failures }) });
  return gaveUp || isAccepted ? 'ended' : 'looking';
};

/** `unfinished`: `until` was reached. `looking`: what was sent may soon be accepted. */
export type RedeliveryOutcome = 'ended' | 'unfinished' | 'looking';

const sweepPages = async (
  dependencies: RunRedeliveryDependencies,
  sweep: Sweep,
  endpoint: EndpointInRedelivery,
  { holder, until }: { readonly holder: string; readonly until: number },
): Promise<RedeliveryOutcome> => {
  const { records, redeliveries, replays, ladder, clock, wait } = dependencies;
  const { applicationId, redelivery } = endpoint;
  const isProbe = isFailing(endpoint);
  const startedAt = redelivery.sweep?.at ?? clock();
  const { failures = redelivery.failures } = redelivery.sweep ?? {};
  let { leftAt, gaveUp = false } = redelivery.sweep ?? {};
  const begunAt = isProbe ? redelivery.probeNext : undefined;
  let next = redelivery.sweep?.next ?? begunAt;
  const seen = new Set<string>();
  for (;;) {
    const now = clock();
    if (now >= until) return 'unfinished';
    const places = await replayPlaces({ replays, clock }, applicationId);
    const isFree =
      places.every(({ isLeft }) => isLeft) &&
      (await replays.hold({ applicationId, holder, now, until: now + replayLeaseMilliseconds }));
    if (!isFree) {
      await redeliveries.putOff(sweep, { nextAt: now + yieldMilliseconds });
      return 'ended';
    }
    const page = await failedPage(dependencies, endpoint, { now, after: next });
    let published = 0;
    for await (const { listed, verdict, about } of judgedSubjects(dependencies, endpoint, page.items, seen)) {
      if (verdict.kind === 'later') leftAt = sooner(leftAt, verdict.at);
      if (verdict.kind === 'given up') gaveUp = true;
      if (verdict.kind !== 'due') continue;
      const probeId = await sendAgain(dependencies, endpoint, verdict.newest, about);
      if (isProbe) {
        const attempt = redelivery.attempt + 1;
        const nextAt = clock() + ladder.outcomeWithin;
        await redeliveries.probed(sweep, { probeId, next: records.positionOf(listed), attempt, nextAt });
        return 'ended';
      }
      published += 1;
      leftAt = sooner(leftAt, clock() + ladder.outcomesWithin);
    }
    next = page.next;
    if (next === undefined) break;
    const isStillOurs = await redeliveries.advance(sweep, {
      next,
      leftAt,
      gaveUp,
      until: clock() + ladder.outcomeWithin,
    });
    if (!isStillOurs) return 'ended';
    await wait(pauseAfter(published, clock() - now));
  }
  // A probe that began in the middle of the list has reached its end, so it continues at the newest notification.
  if (begunAt === undefined) {
    return conclude(dependencies, sweep, endpoint, { at: startedAt, leftAt, gaveUp, failures });
  }
  await redeliveries.putOff(sweep, { nextAt: clock() });
  return 'ended';
};

/**
 * Works on an endpoint that has not accepted everything.
 * - While it accepts nothing, sends one of the undelivered messages, as a probe. Each further probe is about another
 *   subject, as far as there is one.
 * - Otherwise sends the newest message of each undelivered subject, 20 a second.
 * - If nothing is undelivered, ends the redelivery.
 * - If the endpoint is not due, only looks whether it has accepted everything.
 * After a crash, another call with the same `sweep` continues after the last finished page. Yields to the replays that
 * customers request.
 * If the outcome is not `ended`, call this function again.
 */
export const runRedelivery = async (
  dependencies: RunRedeliveryDependencies,
  {
    applicationId,
    id,
    dueAt,
    sweep,
    holder,
    until,
  }: DueEndpoint & Sweep & { readonly holder: string; readonly until: number },
): Promise<RedeliveryOutcome> => {
  const { redeliveries, replays, ladder, clock } = dependencies;
  const key = { applicationId, id, sweep };
  const now = clock();
  const begun = await redeliveries.begin({ ...key, now, dueAt, until: now + ladder.outcomeWithin });
  if (begun?.redelivery === undefined) return lookForUndelivered(dependencies, { applicationId, id, until });
  try {
    return await sweepPages(dependencies, key, { ...begun, redelivery: begun.redelivery }, { holder, until });
  } finally {
    await replays.release({ applicationId, holder });
  }
};
