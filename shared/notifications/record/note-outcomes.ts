import type { Clock } from '../../platform/time/clock.ts';
import { type EndpointKey, isFailing, isSubscribed } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { EnqueueRedelivery, Redeliveries } from '../ports/redeliveries.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import { type Ladder, pauseOf } from '../redeliver/redelivery.ts';
import { type Delivery, publicationOf, shortReason } from './record.ts';

export interface NoteOutcomesDependencies {
  readonly endpoints: Pick<
    Endpoints,
    'noteSuccess' | 'noteFailure' | 'countFailure' | 'beginOutage' | 'endOutage'
  >;
  readonly redeliveries: Pick<Redeliveries, 'probeRefused'>;
  readonly undelivered: Pick<Undelivered, 'suspect'>;
  readonly enqueue: EnqueueRedelivery;
  readonly ladder: Ladder;
  readonly clock: Clock;
}

const newestOf = (deliveries: readonly Delivery[]): Delivery | undefined =>
  deliveries.toSorted((a, b) => b.at - a.at)[0];

/**
 * Notes the accepted deliveries of an endpoint. One that does not fail costs a single write. One that works again is
 * looked at immediately.
 */
export const noteSuccesses = async (
  { endpoints, enqueue, clock }: NoteOutcomesDependencies,
  key: EndpointKey,
  deliveries: readonly Delivery[],
): Promise<void> => {
  const newest = newestOf(deliveries);
  if (newest === undefined) return;
  const { at } = newest;
  const publishedAt = Math.max(...deliveries.map(publicationOf));
  const endpoint = await endpoints.noteSuccess({ ...key, at, publishedAt });
  if (endpoint === undefined || !isSubscribed(endpoint) || !isFailing(endpoint)) return;
  const isOver = await endpoints.endOutage({ ...key, now: clock() });
  if (isOver && endpoint.redelivery !== undefined) await enqueue(key);
};

/**
 * Notes the failed deliveries of an endpoint: docs/undelivered.md. Returns whether nothing was undelivered before.
 */
export const noteFailures = async (
  { endpoints, redeliveries, undelivered, ladder, clock }: NoteOutcomesDependencies,
  key: EndpointKey,
  deliveries: readonly Delivery[],
): Promise<boolean> => {
  const newest = newestOf(deliveries);
  if (newest === undefined) return false;
  const { at } = newest;
  const now = clock();
  const nextAt = now + pauseOf(ladder, 0);
  await undelivered.suspect(
    key,
    deliveries.map((each) => ({
      messageId: each.messageId,
      publishedAt: publicationOf(each),
      isExact: each.dwellMilliseconds !== undefined,
    })),
  );
  const since = Math.min(...deliveries.map(publicationOf));
  const before = await endpoints.countFailure({ ...key, since, notedAt: now, nextAt });
  if (before === undefined) return false;
  if (before.lastFailure === undefined || before.lastFailure.at < at) {
    await endpoints.noteFailure({ ...key, at, reason: shortReason(newest) });
  }
  // After the failure is noted, since from then on an earlier success does not end the outage.
  await endpoints.beginOutage({ ...key, at, nextAt });
  const { probeId, attempt = 0 } = before.redelivery ?? {};
  if (probeId !== undefined && deliveries.some(({ messageId }) => messageId === probeId)) {
    await redeliveries.probeRefused({ ...key, probeId, nextAt: now + pauseOf(ladder, attempt) });
  }
  return before.redelivery === undefined;
};
