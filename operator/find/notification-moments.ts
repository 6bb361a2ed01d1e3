import { withoutCredentials } from '../../shared/notifications/endpoint.ts';
import type { NotificationRecords } from '../../shared/notifications/ports/notification-records.ts';
import type { Delivery } from '../../shared/notifications/record.ts';
import { gap, type Moment, moment } from './story.ts';

const deliveryMoments = ({
  destination,
  isDelivered,
  statusCode,
  attempts,
  at,
  reason,
  redrivenAt,
}: Delivery): Moment[] => {
  const where = `${withoutCredentials(destination)}, attempt ${attempts}`;
  const answer = statusCode === undefined ? reason : `${statusCode} ${reason}`;
  return [
    moment(at, isDelivered ? `delivered to ${where}` : `given up for ${where}: ${answer}; a dead letter`),
    ...(redrivenAt === undefined
      ? []
      : [moment(redrivenAt, `published again for ${withoutCredentials(destination)}`)]),
  ];
};

/** What an application was told of a user in the last 30 days, and what became of it. */
export const sentMoments = async (
  { records }: { readonly records: Pick<NotificationRecords, 'ofSubject'> },
  {
    applicationId,
    applicationUserSub,
  }: { readonly applicationId: string; readonly applicationUserSub: string },
): Promise<Moment[]> => {
  const message = { operationType: 'data_update', applicationUserSub, dateTime: '' } as const;
  const sent = await records.ofSubject({ applicationId, message });
  return sent
    .toReversed()
    .flatMap(({ id, publishedAt, endpointId, message: { dateTime }, deliveries }) => [
      moment(
        publishedAt,
        `published: changed at ${dateTime}${endpointId === undefined ? '' : ', for one endpoint alone'} (message ${id})`,
      ),
      ...(deliveries.length === 0 ? [gap('no endpoint is known to have taken it or not', publishedAt)] : []),
      ...deliveries.flatMap(deliveryMoments),
    ]);
};
