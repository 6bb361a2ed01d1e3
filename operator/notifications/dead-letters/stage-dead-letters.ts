import { addressSchema } from '../../../shared/nft/hex.ts';
import { byForm, type Message } from '../../../shared/notifications/message.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { contractsOf } from '../../nft/chain/stores.ts';
import { applicationUserSubsOf, endpointsOf, notificationRecordsOf } from '../../platform/stage/stores.ts';
import type { Target } from '../../platform/stage/target.ts';
import { stageQueue } from '../queue/sqs-queue.ts';
import type { FindApplications } from './list-dead-letters.ts';

/**
 * The applications that a message about an event could not be delivered to. The message does not name them, so those
 * are asked for that have selected such messages.
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
  const ids = [...new Set(selecting.map(({ applicationId }) => applicationId))];
  const known = await inParallel(ids, {
    atOnce: 10,
    run: (applicationId) => records.ofSubject({ applicationId, message }),
  });
  return ids.filter((_, index) =>
    known[index]?.some(
      (record) =>
        record.message.dateTime === message.dateTime &&
        record.deliveries.some(({ isDelivered }) => !isDelivered),
    ),
  );
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
        return known(address && (await contracts.findPublic(address))?.application);
      },
      event: (about) => missedBy(sent, about),
    });
};

export const deadLetterQueue = (target: Target) => stageQueue(target, 'DeadLetterQueueUrl');
