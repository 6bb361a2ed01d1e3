import type { Clock } from '../../platform/clock.ts';
import { type Endpoint, isFailing, isSubscribed } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import { type EnqueueRedelivery, neverDue, type Redeliveries } from '../ports/redeliveries.ts';
import type { Ladder } from '../redeliver/redelivery.ts';
import { type Delivery, publicationOf, shortReason } from './record.ts';

export interface NoteOutcomesDependencies {
  readonly endpoints: Pick<
    Endpoints,
    | 'noteSuccess'
    | 'noteFailure'
    | 'countFailure'
    | 'beginOutage'
    | 'endOutage'
    | 'bringForward'
    | 'acceptProbe'
    | 'find'
  >;
  readonly redeliveries: Pick<Redeliveries, 'step'>;
  readonly enqueue: EnqueueRedelivery;
  readonly ladder: Ladder;
  readonly clock: Clock;
}

type Key = Pick<Endpoint, 'applicationId' | 'id'>;

/** How often a write is tried whose condition fails because another write came first. */
const triesAtMost = 5;

const newestOf = (deliveries: readonly Delivery[]): Delivery | undefined =>
  deliveries.toSorted((a, b) => b.at - a.at)[0];

/**
 * The time to which an outcome brings an endpoint's redelivery forward: `wanted`, unless that already happened within the
 * duration of the second step.
 */
const broughtForwardAt = (
  { redelivery }: Endpoint,
  { ladder, wanted }: { readonly ladder: Ladder; readonly wanted: number },
): number => {
  if (redelivery === undefined) return wanted;
  const again = (redelivery.broughtForwardAt ?? Number.NEGATIVE_INFINITY) + (ladder.steps[1] ?? 0);
  return Math.min(Math.max(wanted, again), redelivery.nextAt ?? Number.POSITIVE_INFINITY);
};

/** Returns whether the endpoint, which has a redelivery, accepted a probe or works again. */
const noteRecovery = async (
  { endpoints, ladder, clock }: NoteOutcomesDependencies,
  key: Key,
  deliveries: readonly Delivery[],
): Promise<boolean> => {
  const newest = newestOf(deliveries);
  if (newest === undefined) return false;
  const { at } = newest;
  let isRecovered = false;
  let endpoint = await endpoints.noteSuccess({ ...key, at });
  for (let tried = 0; tried < triesAtMost; tried++) {
    if (endpoint === undefined || !isSubscribed(endpoint)) return false;
    const { failingSince, lastSuccessAt = 0, lastFailure, redelivery } = endpoint;
    const probeId = redelivery?.probeId;
    const now = clock();
    if (deliveries.some(({ messageId }) => messageId === probeId) && probeId !== undefined) {
      isRecovered = await endpoints.acceptProbe({ ...key, probeId, lookAt: now });
      endpoint = await endpoints.find(key);
      continue;
    }
    if (failingSince === undefined || failingSince > lastSuccessAt) return isRecovered;
    if (lastFailure !== undefined && lastFailure.at > lastSuccessAt) return isRecovered;
    const lookAt = broughtForwardAt(endpoint, { ladder, wanted: now });
    if (await endpoints.endOutage({ ...key, at, lookAt, redelivery })) return redelivery !== undefined;
    endpoint = await endpoints.find(key);
  }
  throw new Error(`Endpoint ${key.id} changes again and again`);
};

/**
 * Notes the accepted deliveries of an endpoint. When it recovers, the accepted message may be all that it missed. So a worker
 * looks at once, and whatever is left waits for the schedule.
 * @throws if other writes come first again and again.
 */
export const noteSuccesses = async (
  dependencies: NoteOutcomesDependencies,
  key: Key,
  deliveries: readonly Delivery[],
): Promise<void> => {
  const isRecovered = await noteRecovery(dependencies, key, deliveries);
  if (isRecovered) await dependencies.enqueue({ ...key, dueAt: neverDue });
};

/**
 * Brings the redelivery forward of an endpoint that has failed, but has accepted a later message. Nothing else would: the
 * redelivery may be paused, or wait for hours, because of a message that the endpoint always refuses. A sweep that is under
 * way notices the failure at its end. Returns `false` if the endpoint has changed since it was read.
 */
const noteBesideSuccesses = async (
  { endpoints, ladder }: Pick<NoteOutcomesDependencies, 'endpoints' | 'ladder'>,
  endpoint: Endpoint,
  wanted: number,
): Promise<boolean> => {
  const { applicationId, id, redelivery } = endpoint;
  if (redelivery === undefined || redelivery.sweep !== undefined) return true;
  const lookAt = broughtForwardAt(endpoint, { ladder, wanted });
  const isUsedUp = redelivery.attempt >= ladder.steps.length;
  if (lookAt === redelivery.nextAt && !isUsedUp) return true;
  return endpoints.bringForward({ applicationId, id, lookAt, redelivery });
};

/**
 * Notes the failed deliveries of an endpoint. Returns whether nothing was undelivered before.
 * @throws if other writes come first again and again.
 */
export const noteFailures = async (
  { endpoints, redeliveries, ladder, clock }: NoteOutcomesDependencies,
  key: Key,
  deliveries: readonly Delivery[],
): Promise<boolean> => {
  const newest = newestOf(deliveries);
  if (newest === undefined) return false;
  const { at } = newest;
  const now = clock();
  const since = Math.min(...deliveries.map(publicationOf));
  const lookAt = now + (ladder.steps[0] ?? 0);
  const before = await endpoints.countFailure({ ...key, since, notedAt: now, lookAt });
  if (before === undefined) return false;
  if (before.lastFailure === undefined || before.lastFailure.at < at) {
    await endpoints.noteFailure({ ...key, at, reason: shortReason(newest) });
  }
  // Read after the failure is noted, since from then on an earlier success does not end the outage.
  let endpoint = await endpoints.find(key);
  let redelivery = endpoint?.redelivery;
  for (let tried = 0; endpoint !== undefined && !isFailing(endpoint); tried++) {
    const isBeginning = endpoint.lastSuccessAt === undefined || endpoint.lastSuccessAt < at;
    const isNoted = isBeginning
      ? await endpoints.beginOutage({ ...key, at, lookAt, redelivery })
      : await noteBesideSuccesses({ endpoints, ladder }, endpoint, lookAt);
    if (isNoted) break;
    if (tried >= triesAtMost) throw new Error(`Endpoint ${key.id} changes again and again`);
    endpoint = await endpoints.find(key);
    redelivery = endpoint?.redelivery;
  }
  const { probeId, nextAt, attempt = 0 } = redelivery ?? {};
  const isProbe = deliveries.some(({ messageId }) => messageId === probeId);
  if (isProbe && probeId !== undefined && nextAt !== undefined) {
    const step = now + (ladder.steps[attempt] ?? 0);
    await redeliveries.step({ ...key, dueAt: nextAt }, { attempt, nextAt: step, probeId });
  }
  return before.redelivery === undefined;
};
