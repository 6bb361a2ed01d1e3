import type { Clock } from '../../platform/time/clock.ts';
import { changeTime } from '../../platform/time/date-time.ts';
import { isSubscribed } from '../endpoints/endpoint.ts';
import {
  EndpointEndedError,
  EndpointNotFoundError,
  TooManyTestsError,
  TopicUnavailableError,
} from '../errors.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationTopic } from '../ports/notification-topic.ts';
import type { SubscriptionStates } from '../ports/subscription-states.ts';
import type { TestCounts } from '../ports/test-counts.ts';
import type { SentNotification } from '../record/record.ts';
import type { Message } from './message.ts';

const testsAMinute = 10;
const minuteMilliseconds = 60_000;

export interface SendTestDependencies {
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly subscriptions: SubscriptionStates;
  readonly topic: NotificationTopic;
  readonly testCounts: TestCounts;
  readonly clock: Clock;
  /** Returns an identifier that no user has. */
  readonly randomSub: () => string;
}

/**
 * @throws EndpointNotFoundError, EndpointEndedError, TooManyTestsError, and TopicUnavailableError when nothing was
 * sent.
 */
export const sendTest = async (
  { endpoints, subscriptions, topic, testCounts, clock, randomSub }: SendTestDependencies,
  { applicationId, endpointId }: { readonly applicationId: string; readonly endpointId?: string | undefined },
): Promise<SentNotification> => {
  if (endpointId !== undefined) {
    const [own, states] = await Promise.all([endpoints.ofApplication(applicationId), subscriptions.ofAll()]);
    const endpoint = own.find((one) => one.id === endpointId && isSubscribed(one));
    if (endpoint === undefined) throw new EndpointNotFoundError();
    if (!states.has(endpoint.destination)) throw new EndpointEndedError({ endpointId });
  }
  const milliseconds = clock();
  const minute = Math.floor(milliseconds / minuteMilliseconds);
  if (!(await testCounts.count({ applicationId, minute, atMost: testsAMinute }))) {
    const retryAfterSeconds = Math.ceil(((minute + 1) * minuteMilliseconds - milliseconds) / 1_000);
    throw new TooManyTestsError({ retryAfterSeconds });
  }
  const message: Message = {
    operationType: 'test',
    applicationUserSub: randomSub(),
    dateTime: changeTime({ milliseconds }),
  };
  const notification = { applicationId, endpointId, message };
  const [outcome] = await topic.publish([notification]);
  if (outcome?.isPublished !== true) {
    throw new TopicUnavailableError({ reason: outcome?.reason ?? 'no answer' });
  }
  return { ...notification, id: outcome.messageId, publishedAt: milliseconds };
};
