import { isChainMessage, type Notification, type OperationType } from './message.ts';
import type { Endpoints } from './ports/endpoints.ts';

export interface SubscribedFilterDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
}

export type SubscribedFilter = (notifications: readonly Notification[]) => Promise<readonly Notification[]>;

/**
 * Drops chain decisions to which no endpoint of the application has subscribed: each message costs as much as the
 * writes of a mint. An endpoint is stored before it is subscribed, so it misses none. Create one filter for each batch.
 */
export const createSubscribedFilter = ({ endpoints }: SubscribedFilterDependencies): SubscribedFilter => {
  const asked = new Map<string, Promise<ReadonlySet<OperationType>>>();
  const operationsOf = async (applicationId: string): Promise<ReadonlySet<OperationType>> => {
    const subscribed = (await endpoints.ofApplication(applicationId)).filter(
      ({ removedAt }) => removedAt === undefined,
    );
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
          !isChainMessage(message) || (await askedBy(applicationId)).has(message.operationType),
      ),
    );
    return notifications.filter((_, index) => wanted[index]);
  };
};
