import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './ports/endpoints.ts';
import type { NotificationRecords } from './ports/notification-records.ts';
import { recordedIn } from './record-queue.ts';

export interface RecordNotificationsDependencies {
  readonly records: Pick<NotificationRecords, 'recordSent' | 'recordDelivery'>;
  readonly endpoints: Pick<Endpoints, 'noteSuccess' | 'noteFailure'>;
  /** The endpoint that is, or was, subscribed with this address. */
  readonly findEndpoint: (destination: string) => Promise<Endpoint | undefined>;
}

/**
 * Records what one message of the record's queue tells: what the topic took, whoever published it, or how deliveries
 * ended. All of it may be done again.
 */
export const recordNotifications = async (
  { records, endpoints, findEndpoint }: RecordNotificationsDependencies,
  { body }: { readonly body: string },
): Promise<void> => {
  const { sent, deliveries } = recordedIn(body);
  for (const one of sent) await records.recordSent(one);
  for (const delivery of deliveries) await records.recordDelivery(delivery);
  const newest = new Map(
    deliveries.toSorted((a, b) => a.at - b.at).map((one) => [`${one.isDelivered} ${one.destination}`, one]),
  );
  for (const { destination, isDelivered, at, reason, statusCode } of newest.values()) {
    const endpoint = await findEndpoint(destination);
    if (endpoint === undefined) continue;
    const key = { applicationId: endpoint.applicationId, id: endpoint.id, at };
    if (isDelivered) await endpoints.noteSuccess(key);
    else
      await endpoints.noteFailure({
        ...key,
        reason: statusCode === undefined ? reason : `${statusCode}: ${reason}`,
      });
  }
};
