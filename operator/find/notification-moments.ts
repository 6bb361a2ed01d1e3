import { withoutCredentials } from '../../shared/notifications/endpoint.ts';
import { isChainMessage, type Message } from '../../shared/notifications/message.ts';
import type { NotificationRecords } from '../../shared/notifications/ports/notification-records.ts';
import { type Delivery, type NotificationRecord, statusOf } from '../../shared/notifications/record.ts';
import { inTime, type Moment, moment, type Timeline, unknown } from './timeline.ts';

export interface NotificationTimelineDependencies {
  readonly records: Pick<NotificationRecords, 'find' | 'ofSubject'>;
}

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

const said = (message: Message): string =>
  isChainMessage(message)
    ? `${message.status}${message.part === undefined ? '' : `, its ${message.part}`}`
    : `changed at ${message.dateTime}`;

const recordMoments = ({
  id,
  publishedAt,
  endpointId,
  message,
  deliveries,
}: NotificationRecord): Moment[] => [
  moment(
    publishedAt,
    `published: ${said(message)}${endpointId === undefined ? '' : ', for one endpoint alone'} (message ${id})`,
  ),
  ...(deliveries.length === 0 ? [unknown('no endpoint is known to have taken it or not', publishedAt)] : []),
  ...deliveries.flatMap(deliveryMoments),
];

/** The notifications of a message's subject in the last 30 days, and their outcome. */
export const sentMoments = async (
  { records }: { readonly records: Pick<NotificationRecords, 'ofSubject'> },
  about: { readonly applicationId: string; readonly message: Message },
): Promise<Moment[]> => {
  const sent = await records.ofSubject(about);
  return sent.toReversed().flatMap(recordMoments);
};

/** A message that stands for all about a collection, one of its tokens, or a part of either. */
export const chainSubject = (
  about: Pick<Extract<Message, { readonly contractAddress: string }>, 'contractAddress' | 'tokenId' | 'part'>,
): Message => ({
  operationType: about.tokenId === undefined ? 'contract_update' : 'token_update',
  ...about,
  status: 'confirmed',
  transactionHash: '',
  dateTime: '',
});

const subjectText = (message: Message): string => {
  if (!isChainMessage(message)) return message.applicationUserSub;
  const { contractAddress, tokenId } = message;
  return tokenId === undefined ? contractAddress : `${contractAddress}/${tokenId}`;
};

/** One message of the last 30 days, by the topic's message id. */
export const findNotification = async (
  { records }: { readonly records: Pick<NotificationRecords, 'find'> },
  messageId: string,
): Promise<Timeline | undefined> => {
  const record = await records.find(messageId);
  if (record === undefined) return undefined;
  const { applicationId, message, deliveries } = record;
  return {
    kind: 'notification',
    id: messageId,
    fields: {
      status: statusOf(deliveries),
      application: applicationId,
      operation: message.operationType,
      about: subjectText(message),
      said: said(message),
    },
    moments: inTime(recordMoments(record)),
    related: [subjectText(message), applicationId].filter((each) => each !== ''),
    commands:
      statusOf(deliveries) === 'failed' ? [`dead-letters redrive --application ${applicationId}`] : [],
  };
};
