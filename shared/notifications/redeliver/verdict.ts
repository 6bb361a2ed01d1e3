import type { Endpoint } from '../endpoints/endpoint.ts';
import type { NotificationRecord } from '../record/record.ts';
import { type Ladder, pauseOf } from './redelivery.ts';
import type { Copy, UndeliveredRow } from './undelivered-row.ts';

/**
 * What the record says about a subject.
 * - `accepted`: the endpoint has accepted the newest message that had failed, or a later one.
 * - `under way`: a copy may still be accepted. Its outcome is unknown until `until` at the latest.
 * - `undelivered`: `newest` is to be sent.
 */
export type SubjectVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'under way'; readonly since: number; readonly until: number }
  | { readonly kind: 'undelivered'; readonly newest: NotificationRecord };

/** Judges a subject by all messages about it. */
export const subjectVerdict = (
  records: readonly NotificationRecord[],
  {
    endpoint,
    copy,
    ladder: { outcomeWithin },
    now,
  }: {
    readonly endpoint: Pick<Endpoint, 'id' | 'destination'>;
    /** The last copy, which may not be in the record yet. */
    readonly copy: Copy | undefined;
    readonly ladder: Pick<Ladder, 'outcomeWithin'>;
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
  const isAccepted = own.some(
    ({ record, delivery }) =>
      delivery?.isDelivered === true && record.message.dateTime >= newest.record.message.dateTime,
  );
  if (isAccepted) return { kind: 'accepted' };

  const unrecorded = copy !== undefined && records.every(({ id }) => id !== copy.id) ? [copy] : [];
  const open = own.filter(({ delivery }) => delivery === undefined).map(({ record }) => record);
  const since = Math.max(
    ...[...unrecorded, ...open].map(({ publishedAt }) => publishedAt),
    Number.NEGATIVE_INFINITY,
  );
  return since + outcomeWithin > now
    ? { kind: 'under way', since, until: since + outcomeWithin }
    : { kind: 'undelivered', newest: newest.record };
};

/** When the outcome of a copy is asked for first. */
export const firstLookMilliseconds = 5_000;

/** When a row is looked at whose copy is under way: soon after it was sent, then less and less often. */
export const nextLookAt = (
  { since, until }: Extract<SubjectVerdict, { kind: 'under way' }>,
  now: number,
): number => Math.min(until, now + Math.max(firstLookMilliseconds, now - since));

/**
 * The row when its last copy was judged. If the endpoint has accepted something that was published after the copy, it
 * has refused this subject, and the row takes a step of its ladder. Otherwise the endpoint accepted nothing, and it
 * takes none.
 */
export const judged = (
  row: UndeliveredRow,
  {
    records,
    endpoint,
    ladder,
    now,
  }: {
    readonly records: readonly NotificationRecord[];
    readonly endpoint: Pick<Endpoint, 'destination' | 'failingSince' | 'acceptedUntil'>;
    readonly ladder: Ladder;
    readonly now: number;
  },
): Pick<UndeliveredRow, 'attempt' | 'isGivenUp' | 'nextAt'> => {
  const { copy, attempt, isGivenUp } = row;
  if (copy === undefined) return { attempt, isGivenUp, nextAt: now };
  const ended = records
    .find(({ id }) => id === copy.id)
    ?.deliveries.find(({ destination }) => destination === endpoint.destination);
  // It was accepted, but a newer message has failed since it was sent.
  if (ended?.isDelivered === true) return { attempt, isGivenUp: false, nextAt: now };
  const refusedAt = ended?.at ?? copy.publishedAt + ladder.outcomeWithin;
  if ((endpoint.acceptedUntil ?? 0) > copy.publishedAt) {
    const step = ladder.steps[attempt];
    return { attempt: attempt + 1, isGivenUp: step === undefined, nextAt: refusedAt + (step ?? 0) };
  }
  // An endpoint that has accepted an older message since does not count as failing. Without a pause, this would be a loop.
  const isFailing = endpoint.failingSince !== undefined;
  return { attempt, isGivenUp, nextAt: isFailing ? now : refusedAt + pauseOf(ladder, 0) };
};
