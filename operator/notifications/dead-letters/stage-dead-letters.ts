import { isDeepStrictEqual } from 'node:util';
import { addressSchema } from '../../../shared/chain/hex.ts';
import { type Endpoint, isSubscribed } from '../../../shared/notifications/endpoints/endpoint.ts';
import { byForm, type Message } from '../../../shared/notifications/messages/message.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { contractsOf } from '../../nft/chain/stores.ts';
import { applicationUserSubsOf, endpointsOf, notificationRecordsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { stageQueue } from '../queue/sqs-queue.ts';
import type { FindApplications } from './list-dead-letters.ts';

/**
 * The applications that a message about an event could not be delivered to. The message does not name them, so those
 * are asked for that have selected such messages. An endpoint has missed the message if it refused it, or is not known
 * to have accepted it: SNS does not log every failure.
 */
export const missedBy = async (
  {
    endpoints,
    records,
  }: {
    readonly endpoints: Pick<Endpoints, 'list'>;
    readonly records: Pick<NotificationRecords, 'ofSubject'>;
  },
  message: Message,
): Promise<readonly string[]> => {
  const selecting = (await endpoints.list()).filter(({ operationTypes }) =>
    operationTypes.includes(message.operationType),
  );
  const applications = [...Map.groupBy(selecting, ({ applicationId }) => applicationId)];
  const hasMissed = await inParallel(applications, {
    atOnce: 10,
    run: async ([applicationId, own]) => {
      // Applications are told different things of one change, because they see different events.
      const sent = (await records.ofSubject({ applicationId, message })).filter((record) =>
        isDeepStrictEqual(record.message, message),
      );
      const deliveries = sent.flatMap((record) => record.deliveries);
      const accepted = new Set(
        deliveries.filter(({ isDelivered }) => isDelivered).map(({ destination }) => destination),
      );
      const wasSentTo = (endpoint: Endpoint) =>
        isSubscribed(endpoint) && sent.some(({ publishedAt }) => endpoint.createdAt <= publishedAt);
      return (
        deliveries.some(({ isDelivered }) => !isDelivered) ||
        own.some((endpoint) => wasSentTo(endpoint) && !accepted.has(endpoint.destination))
      );
    },
  });
  return applications.filter((_, index) => hasMissed[index]).map(([applicationId]) => applicationId);
};

export const applicationsFinder = (target: Target): FindApplications => {
  const subs = applicationUserSubsOf(target);
  const contracts = contractsOf(target);
  const sent = { endpoints: endpointsOf(target), records: notificationRecordsOf(target) };
  const known = (id: string | undefined) => (id === undefined ? [] : [id]);
  return (message) =>
    byForm<Promise<readonly string[]>>(message, {
      user: async ({ applicationUserSub }) => known(await subs.applicationOf(applicationUserSub)),
      chain: async ({ contractAddress }) => {
        const address = addressSchema.safeParse(contractAddress.toLowerCase()).data;
        return known(address && (await contracts.findPublic(address))?.applicationId);
      },
      event: (about) => missedBy(sent, about),
    });
};

export const deadLetterQueue = (target: Target) => stageQueue(target, 'DeadLetterQueueUrl');
