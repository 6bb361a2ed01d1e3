import type { Series } from './types.ts';

const measuredHere: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway': ['Count', '4XXError', '5XXError', 'Latency'],
  'AWS/DynamoDB': ['ReadThrottleEvents', 'WriteThrottleEvents'],
  'AWS/Lambda': ['Invocations', 'Errors', 'Throttles', 'Duration', 'IteratorAge'],
  'AWS/SNS': [
    'NumberOfMessagesPublished',
    'NumberOfNotificationsDelivered',
    'NumberOfNotificationsFailed',
    'NumberOfNotificationsFailedToRedriveToDlq',
  ],
  'AWS/SQS': ['ApproximateNumberOfMessagesVisible'],
  'AWS/States': ['ExecutionsFailed', 'ExecutionsTimedOut'],
};

/**
 * Whether the runtime keeps this metric. It keeps every metric that functions emit themselves, i.e. those outside
 * `AWS/`.
 */
export const isKept = ({ namespace, name }: Pick<Series, 'namespace' | 'name'>): boolean =>
  !namespace.startsWith('AWS/') || measuredHere[namespace]?.includes(name) === true;
