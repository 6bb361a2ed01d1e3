import type { Clock } from '../../platform/time/clock.ts';
import { type Endpoint, isSubscribed } from '../endpoints/endpoint.ts';
import type { Message, Notification } from '../messages/message.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { NotificationTopic } from '../ports/notification-topic.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import { failingDestinations, type NotificationRecord } from '../record/record.ts';
import { firstLookMilliseconds } from '../redeliver/verdict.ts';

export interface RepublishDependencies {
  readonly records: Pick<NotificationRecords, 'ofSubject' | 'markRedriven'>;
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly undelivered: Pick<Undelivered, 'noteCopy'>;
  readonly topic: NotificationTopic;
  readonly clock: Clock;
}

/** The id of a message, or of the original message if it is itself a copy. */
export const firstIdOf = ({ redriveOf, replayOf, id }: NotificationRecord): string =>
  redriveOf ?? replayOf ?? id;

export interface Republication {
  readonly applicationId: string;
  /** The newest message about its subject. */
  readonly message: Message;
  /** @default every endpoint of the application */
  readonly endpointId?: string | undefined;
  readonly by: 'redrive' | 'replay';
  /**
   * The record of `message`, if the caller has it. If it is absent and `isFailingOnly` is true, the record is looked
   * up.
   */
  readonly original?: NotificationRecord | undefined;
  /**
   * Whether to send only to endpoints that failed to accept a message about this subject, and have accepted no message
   * about it since.
   */
  readonly isFailingOnly: boolean;
  /**
   * The `dateTime` of each message that the caller knows to have failed. If the records lack the failure of one of
   * them, it is unknown which endpoint failed.
   */
  readonly failedDateTimes?: readonly string[];
}

/**
 * The addresses that failed to accept a message about a subject, and have accepted no message about it since. Each
 * comes with its endpoint, if it has one: an address that was subscribed by hand has none.
 */
const failingEndpoints = (
  records: readonly NotificationRecord[],
  endpoints: readonly Endpoint[],
): { readonly destination: string; readonly endpoint: Endpoint | undefined }[] =>
  failingDestinations(records)
    .map((destination) => ({
      destination,
      endpoint:
        endpoints.find((each) => each.destination === destination && isSubscribed(each)) ??
        endpoints.find((each) => each.destination === destination),
    }))
    .filter(({ endpoint }) => endpoint === undefined || isSubscribed(endpoint));

const isEachFailureKnown = (
  records: readonly NotificationRecord[],
  failedDateTimes: readonly string[],
): boolean =>
  failedDateTimes.every((dateTime) =>
    records.some(
      ({ message, deliveries }) =>
        message.dateTime === dateTime && deliveries.some(({ isDelivered }) => !isDelivered),
    ),
  );

/** Notes of the failed deliveries to these addresses that a message about the same subject was published again. */
export const markSentAgain = async (
  records: Pick<NotificationRecords, 'markRedriven'>,
  {
    about,
    to,
    at,
  }: {
    readonly about: readonly NotificationRecord[];
    readonly to: readonly string[];
    readonly at: number;
  },
): Promise<void> => {
  for (const { id, deliveries } of about) {
    for (const { destination, isDelivered, redrivenAt } of deliveries) {
      if (isDelivered || redrivenAt !== undefined || !to.includes(destination)) continue;
      await records.markRedriven({ messageId: id, destination, at });
    }
  }
};

/**
 * Publishes a message again, for a redrive or a replay. With `isFailingOnly`, publishes it once for each failing
 * endpoint. Otherwise publishes it once: for `endpointId`, or without an `endpointId` for all of the application's
 * endpoints. `isFailingOnly` has no effect if a failing endpoint is unknown, because a failure is missing from the
 * notification records or a failing address has no endpoint.
 * @returns how many messages were published. 0 if no endpoint needs the message.
 * @throws Error when the topic does not accept the message.
 */
export const republish = async (
  { records, endpoints, undelivered, topic, clock }: RepublishDependencies,
  { applicationId, message, endpointId, by, original, isFailingOnly, failedDateTimes = [] }: Republication,
): Promise<number> => {
  const publish = async (
    endpointIds: readonly (string | undefined)[],
    sent: NotificationRecord | undefined,
    own: readonly Endpoint[],
  ): Promise<number> => {
    const undeliveredTo = own.filter(({ redelivery }) => redelivery !== undefined);
    const first = sent && firstIdOf(sent);
    const notifications = endpointIds.map(
      (id): Notification => ({
        applicationId,
        endpointId: id,
        message,
        ...(by === 'redrive' ? { redriveOf: first } : { replayOf: first }),
      }),
    );
    const outcomes = await topic.publish(notifications);
    const publishedAt = clock();
    for (const [index, outcome] of outcomes.entries()) {
      if (!outcome.isPublished) throw new Error(outcome.reason);
      const copy = { id: outcome.messageId, publishedAt };
      const nextAt = publishedAt + firstLookMilliseconds;
      const only = endpointIds[index];
      for (const endpoint of undeliveredTo.filter(({ id }) => only === undefined || only === id)) {
        await undelivered.noteCopy(endpoint, { message, copy, nextAt, isMade: isFailingOnly });
      }
    }
    return notifications.length;
  };
  const own = await endpoints.ofApplication(applicationId);
  if (!isFailingOnly) return publish([endpointId], original, own);

  const known = await records.ofSubject({ applicationId, message });
  const sent = original ?? known.find((record) => record.message.dateTime === message.dateTime);
  if (!isEachFailureKnown(known, failedDateTimes)) return publish([endpointId], sent, own);
  const failing = failingEndpoints(known, own).filter(
    ({ endpoint }) => endpointId === undefined || endpoint?.id === endpointId,
  );
  const ids = failing.map(({ endpoint }) => endpoint?.id);
  // Before it is published, since it can be delivered at once.
  const at = clock();
  const published = await publish(ids.includes(undefined) ? [undefined] : ids, sent, own);
  await markSentAgain(records, { about: known, to: failing.map(({ destination }) => destination), at });
  return published;
};
