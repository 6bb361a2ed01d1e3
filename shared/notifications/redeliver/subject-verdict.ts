import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NotificationRecord } from '../record/record.ts';
import type { Ladder } from './redelivery.ts';

/**
 * What to do about a subject whose newest message an endpoint has not accepted.
 * - `due`: to be sent now.
 * - `later`: not before `at`. An earlier copy may still arrive (`isUnderWay`), or the endpoint has refused copies.
 * - `given up`: the endpoint has refused the subject for the whole ladder.
 */
export type SubjectVerdict =
  | { readonly kind: 'accepted' | 'given up' }
  | { readonly kind: 'due'; readonly newest: NotificationRecord }
  | { readonly kind: 'later'; readonly at: number; readonly isUnderWay: boolean };

/**
 * Judges a subject. An endpoint that accepts other notifications may refuse all about one subject, so each subject that
 * it refuses climbs the ladder by itself. Copies that were sent while the endpoint accepted nothing do not count.
 */
export const subjectVerdict = (
  /** All messages about the subject, newest first. */
  records: readonly NotificationRecord[],
  {
    endpoint,
    ladder: { steps, outcomeWithin },
    now,
  }: {
    readonly endpoint: Pick<Endpoint, 'id' | 'destination' | 'outage'>;
    readonly ladder: Ladder;
    readonly now: number;
  },
): SubjectVerdict => {
  const own = records
    .filter(({ endpointId }) => endpointId === undefined || endpointId === endpoint.id)
    .map((record) => ({
      record,
      delivery: record.deliveries.find(({ destination }) => destination === endpoint.destination),
    }));
  const failed = own.filter(({ delivery }) => delivery?.isDelivered === false);
  const newest = failed.reduce<(typeof failed)[number] | undefined>(
    (best, each) =>
      best === undefined || best.record.message.dateTime < each.record.message.dateTime ? each : best,
    undefined,
  );
  if (newest === undefined) return { kind: 'accepted' };
  const accepted = own.filter(({ delivery }) => delivery?.isDelivered === true);
  const isAccepted = accepted.some(({ record }) => record.message.dateTime >= newest.record.message.dateTime);
  if (isAccepted) return { kind: 'accepted' };

  const underWay = own
    .filter(({ delivery }) => delivery === undefined)
    .map(({ record }) => record.publishedAt + outcomeWithin)
    .filter((until) => until > now);
  if (underWay.length > 0) return { kind: 'later', at: Math.max(...underWay), isUnderWay: true };

  const lastAccepted = Math.max(0, ...accepted.map(({ record }) => record.publishedAt));
  const refused = own.filter(
    ({ record, delivery }) =>
      record.endpointId === endpoint.id &&
      record.publishedAt > lastAccepted &&
      delivery?.isDelivered !== true &&
      !isDuring(record.publishedAt, endpoint.outage),
  );
  if (refused.length === 0) return { kind: 'due', newest: newest.record };
  const step = steps[refused.length - 1];
  if (step === undefined) return { kind: 'given up' };
  const lastRefused = Math.max(
    ...refused.map(({ record, delivery }) => delivery?.at ?? record.publishedAt + outcomeWithin),
  );
  const at = lastRefused + step;
  return at <= now ? { kind: 'due', newest: newest.record } : { kind: 'later', at, isUnderWay: false };
};

const isDuring = (time: number, outage: Endpoint['outage']): boolean =>
  outage !== undefined && time >= outage.from && (outage.to === undefined || time < outage.to);
