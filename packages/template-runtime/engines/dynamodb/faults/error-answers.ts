import type { DatabaseAnswer } from './types.ts';

const answer = (type: string, rest: Readonly<Record<string, unknown>>, status = 400): DatabaseAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...rest }),
});

const tooFast =
  'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.';
const ongoing = 'Transaction is ongoing for the item';

const messages = {
  ThrottlingError:
    'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.',
  ProvisionedThroughputExceeded: tooFast,
  TransactionConflict: ongoing,
} as const;
export type CancellationCode = keyof typeof messages;

export const throttled = (): DatabaseAnswer =>
  answer('ProvisionedThroughputExceededException', { message: tooFast });

export const outOfReach = (): DatabaseAnswer =>
  answer('InternalServerError', { message: 'Internal server error' }, 500);

export const conflicted = (): DatabaseAnswer => answer('TransactionConflictException', { message: ongoing });

export const inProgress = (): DatabaseAnswer =>
  answer('TransactionInProgressException', {
    Message: 'The transaction with the given request token is already in progress.',
  });

export const parameterMismatch = (): DatabaseAnswer =>
  answer('IdempotentParameterMismatchException', {
    Message:
      'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
  });

/**
 * Refuses a transaction. DynamoDB lists one reason for each item; only the item with the index `at` gets the code
 * `code`.
 */
export const cancelled = (code: CancellationCode, at: number, length: number): DatabaseAnswer => {
  const reasons = Array.from({ length }, (_, index) =>
    index === at ? { Code: code, Message: messages[code] } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return answer('TransactionCanceledException', {
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
};
