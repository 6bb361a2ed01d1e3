import {
  type Endpoint,
  isQueue,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import {
  byForm,
  chainOperationTypes,
  type Message,
  type Messages,
} from '../../../shared/notifications/messages/message.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import type { Delivery, NotificationRecord } from '../../../shared/notifications/record/record.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { type Moment, moment, unknown } from './timeline.ts';

export interface RecordMomentDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly clock: Clock;
}

export interface SubjectDependencies extends RecordMomentDependencies {
  readonly records: Pick<NotificationRecords, 'ofSubject'>;
}

/**
 * SNS makes all attempts to deliver a message within this time, for HTTPS endpoints and for queues ("Amazon SNS message
 * delivery retries").
 */
const attemptsEndWithin = ({ destination }: Endpoint): number =>
  isQueue(destination) ? 23 * 24 * 60 * 60_000 : 60 * 60_000;

const duration = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;

const deliveryMoments = ({
  destination,
  isDelivered,
  statusCode,
  attempts,
  dwellMilliseconds,
  at,
  reason,
  redrivenAt,
}: Delivery): Moment[] => {
  const after = dwellMilliseconds === undefined ? '' : ` after ${duration(dwellMilliseconds)}`;
  const where = `${withoutCredentials(destination)}, attempt ${attempts}${after}`;
  const answer = statusCode === undefined && reason === '' ? '' : `: ${statusCode ?? ''} ${reason}`.trimEnd();
  return [
    moment(
      at,
      isDelivered
        ? `delivered to ${where}${answer}`
        : `SNS gave up on ${where}${answer}; the message became a dead letter`,
    ),
    ...(redrivenAt === undefined
      ? []
      : [moment(redrivenAt, `published again for ${withoutCredentials(destination)}`)]),
  ];
};

export const said = (message: Message): string =>
  byForm(message, {
    user: ({ dateTime }) => `changed at ${dateTime}`,
    chain: ({ status, part }) => `${status}${part === undefined ? '' : ` (${part})`}`,
    event: ({ change, status, dateTime }) =>
      `${change}${status === undefined ? '' : ` (${status})`} at ${dateTime}`,
  });

const hadSubscribed = (
  { createdAt, removedAt, id, operationTypes }: Endpoint,
  { publishedAt, endpointId, message: { operationType } }: NotificationRecord,
): boolean =>
  createdAt <= publishedAt &&
  (removedAt === undefined || removedAt > publishedAt) &&
  (endpointId === undefined || endpointId === id) &&
  (operationType === 'test' || operationTypes.includes(operationType));

/**
 * The deliveries without a recorded outcome. SNS reports a delivery only after its last attempt. So a delivery counts
 * as unfinished until the time for all attempts has passed, and as unrecorded afterwards.
 */
const openMoments = (
  record: NotificationRecord,
  { endpoints, now }: { readonly endpoints: readonly Endpoint[]; readonly now: number },
): Moment[] => {
  const { publishedAt, deliveries } = record;
  const open = endpoints.filter(
    (endpoint) =>
      hadSubscribed(endpoint, record) &&
      !deliveries.some(({ destination }) => destination === endpoint.destination),
  );
  const where = ({ destination }: Endpoint): string => withoutCredentials(destination);
  const unfinished = open.filter((endpoint) => now - publishedAt < attemptsEndWithin(endpoint));
  if (unfinished.length > 0) {
    return unfinished.map((endpoint) =>
      moment(publishedAt, `the delivery to ${where(endpoint)} has not finished yet`),
    );
  }
  // Leaves out endpoints without any success or failure: they have not confirmed their subscription, so SNS sends them
  // nothing.
  const unrecorded = open.filter(
    ({ lastSuccessAt, lastFailure }) => lastSuccessAt !== undefined || lastFailure !== undefined,
  );
  if (unrecorded.length === 0 && deliveries.length === 0) {
    return [moment(publishedAt, 'no endpoint was subscribed to this notification')];
  }
  return unrecorded.map((endpoint) =>
    unknown(`the outcome of the delivery to ${where(endpoint)} is not recorded`, publishedAt),
  );
};

const originOf = ({ redriveOf, replayOf }: NotificationRecord): string => {
  if (redriveOf !== undefined) return `, a redrive of message ${redriveOf}`;
  return replayOf === undefined ? '' : `, a replay of message ${replayOf}`;
};

export const recordMoments = (
  record: NotificationRecord,
  known: { readonly endpoints: readonly Endpoint[]; readonly now: number },
): Moment[] => {
  const { id, publishedAt, endpointId, message, deliveries } = record;
  const whom = endpointId === undefined ? '' : ', for one endpoint only';
  return [
    moment(publishedAt, `published${originOf(record)}: ${said(message)}${whom} (message ${id})`),
    ...openMoments(record, known),
    ...deliveries.flatMap(deliveryMoments),
  ];
};

/** The notifications of the last 30 days with the same subject as `about.message`, and their deliveries. */
export const sentMoments = async (
  { records, endpoints, clock }: SubjectDependencies,
  about: { readonly applicationId: string; readonly message: Message },
): Promise<Moment[]> => {
  const sent = await records.ofSubject(about);
  if (sent.length === 0) return [];
  const known = { endpoints: await endpoints.ofApplication(about.applicationId), now: clock() };
  return sent.toReversed().flatMap((record) => recordMoments(record, known));
};

type ChainMessage = Messages['chain'];

const isAboutTokens: Record<ChainMessage['operationType'], boolean> = {
  contract_update: false,
  token_update: true,
};

/**
 * Messages that stand for a contract, a token or a part of one in queries by subject: together, they have the subjects of
 * all messages about it.
 */
export const chainSubjects = (
  about: Pick<ChainMessage, 'contractAddress' | 'tokenId' | 'part'>,
): ChainMessage[] =>
  chainOperationTypes
    .filter((type) => isAboutTokens[type] === (about.tokenId !== undefined))
    .map((operationType) => ({
      operationType,
      ...about,
      status: 'confirmed',
      transactionHash: '',
      dateTime: '',
    }));

export const subjectText = (message: Message): string =>
  byForm(message, {
    user: ({ applicationUserSub }) => applicationUserSub,
    chain: ({ contractAddress, tokenId }) =>
      tokenId === undefined ? contractAddress : `${contractAddress}/${tokenId}`,
    event: ({ eventId }) => eventId ?? '',
  });
