import type { Clock } from '../clock.ts';
import { changeTime } from '../date-time.ts';
import { EndpointEndedError, EndpointNotFoundError, TopicUnavailableError } from './errors.ts';
import type { Message } from './message.ts';
import type { Endpoints } from './ports/endpoints.ts';
import type { NotificationTopic } from './ports/notification-topic.ts';
import type { SubscriptionStates } from './ports/subscription-states.ts';
import type { SentNotification } from './record.ts';

export interface SendTestDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly subscriptions: SubscriptionStates;
  readonly topic: NotificationTopic;
  readonly clock: Clock;
  /** Returns an identifier that no user has. */
  readonly randomSub: () => string;
}

/** @throws EndpointNotFoundError, EndpointEndedError, and TopicUnavailableError when nothing was sent. */
export const sendTest = async (
  { endpoints, subscriptions, topic, clock, randomSub }: SendTestDependencies,
  { applicationId, endpointId }: { readonly applicationId: string; readonly endpointId?: string | undefined },
): Promise<SentNotification> => {
  if (endpointId !== undefined) {
    const [own, states] = await Promise.all([endpoints.ofApplication(applicationId), subscriptions.ofAll()]);
    const endpoint = own.find(({ id, removedAt }) => id === endpointId && removedAt === undefined);
    if (endpoint === undefined) throw new EndpointNotFoundError({ endpointId });
    if (!states.has(endpoint.destination)) throw new EndpointEndedError({ endpointId });
  }
  const milliseconds = clock();
  const message: Message = {
    operationType: 'test',
    applicationUserSub: randomSub(),
    dateTime: changeTime({ milliseconds }),
  };
  const notification = { applicationId, ...(endpointId === undefined ? {} : { endpointId }), message };
  const [outcome] = await topic.publish([notification]);
  if (outcome?.isPublished !== true) {
    throw new TopicUnavailableError({ reason: outcome?.reason ?? 'no answer' });
  }
  return { ...notification, id: outcome.messageId, publishedAt: milliseconds };
};
