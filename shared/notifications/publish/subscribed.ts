import { isSubscribed } from '../endpoints/endpoint.ts';
import { isSentToAll, type Notification, type OperationType } from '../messages/message.ts';
import type { Endpoints } from '../ports/endpoints.ts';

export interface SubscribedFilterDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
}

export type SubscribedFilter = (notifications: readonly Notification[]) => Promise<readonly Notification[]>;

/**
 * Drops a message about the outcome of a transaction or about an event if no endpoint of the application has subscribed
 * to its operation type. Publishing the message would cost as much as the writes of a mint. An endpoint is stored
 * before it is subscribed, so all messages for a new endpoint are published. SNS may still keep some from it, because
 * it takes up to 15 minutes until a new filter works everywhere. Create one filter for each batch, because a filter
 * reads the endpoints only once.
 */
export const createSubscribedFilter = ({ endpoints }: SubscribedFilterDependencies): SubscribedFilter => {
  const asked = new Map<string, Promise<ReadonlySet<OperationType>>>();
  const operationsOf = async (applicationId: string): Promise<ReadonlySet<OperationType>> => {
    const subscribed = (await endpoints.ofApplication(applicationId)).filter(isSubscribed);
    return new Set(subscribed.flatMap(({ operationTypes }) => operationTypes));
  };
  const askedBy = (applicationId: string): Promise<ReadonlySet<OperationType>> => {
    const known = asked.get(applicationId) ?? operationsOf(applicationId);
    asked.set(applicationId, known);
    return known;
  };
  return async (notifications) => {
    const wanted = await Promise.all(
      notifications.map(
        async ({ applicationId, message }) =>
          isSentToAll(message) || (await askedBy(applicationId)).has(message.operationType),
      ),
    );
    return notifications.filter((_, index) => wanted[index]);
  };
};
