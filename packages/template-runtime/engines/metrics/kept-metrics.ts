import type { Series } from './types.ts';

/** How long measurements are kept: a week. */
export const keptMinutes = 7 * 24 * 60;

/**
 * The metrics that are measured here, and those of events that cannot occur here: nothing throttles a log group's
 * subscription filter.
 */
const measuredHere: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway': ['Count', '4XXError', '5XXError', 'Latency'],
  'AWS/Events': ['FailedInvocations'],
  'AWS/DynamoDB': ['ReadThrottleEvents', 'WriteThrottleEvents'],
  'AWS/Lambda': [
    'Invocations',
    'Errors',
    'Throttles',
    'Duration',
    'IteratorAge',
    'DestinationDeliveryFailures',
  ],
  'AWS/Logs': ['DeliveryErrors', 'DeliveryThrottling'],
  'AWS/SNS': [
    'NumberOfMessagesPublished',
    'NumberOfNotificationsDelivered',
    'NumberOfNotificationsFailed',
    'NumberOfNotificationsFailedToRedriveToDlq',
  ],
  'AWS/SQS': ['ApproximateNumberOfMessagesVisible'],
  'AWS/States': ['ExecutionsAborted', 'ExecutionsFailed', 'ExecutionsTimedOut'],
};

/**
 * Whether the runtime keeps this metric. It keeps every metric that functions emit themselves, i.e. those outside
 * `AWS/`.
 */
export const isKept = ({ namespace, name }: Pick<Series, 'namespace' | 'name'>): boolean =>
  !namespace.startsWith('AWS/') || measuredHere[namespace]?.includes(name) === true;
