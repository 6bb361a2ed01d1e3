/** Why DynamoDB refused a transaction, as it concerns the requests that record something. */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { isRefusal } from '../../platform/aws/service-error.ts';
import type { Table } from '../../platform/store/client.ts';
import type { Hold, ResourceReference } from '../ports/holds.ts';
import { dynamoDbHolds } from './holds.ts';

/** Cancellation reasons after which a retry may succeed (API Reference, *TransactWriteItems*). */
const passing = new Set([
  'TransactionConflict',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'RequestLimitExceeded',
]);

export const busyReason = (reasons: readonly CancellationReason[]): string | undefined =>
  reasons.map(({ Code }) => Code).find((code) => code !== undefined && passing.has(code));

export const reasonsText = (reasons: readonly CancellationReason[]): string =>
  reasons.map(({ Code = 'unknown', Message = '' }) => `${Code} ${Message}`.trim()).join(', ') ||
  'no reason given';

/** Errors with which DynamoDB refuses a whole request. Nothing was written, and a retry may succeed. */
export const asksForPatience = (error: unknown): error is Error =>
  isRefusal(
    error,
    'TransactionInProgressException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
  );

/**
 * The reason why the last write of a transaction, which ends the hold, was refused. `undefined` if it was not refused.
 */
export const refusedHold = async (
  requests: Table,
  { hold, reasons }: { readonly hold: Hold | undefined; readonly reasons: readonly CancellationReason[] },
): Promise<
  | { readonly outcome: 'key-done'; readonly result: ResourceReference }
  | { readonly outcome: 'key-lost' }
  | undefined
> => {
  if (hold === undefined || reasons.at(-1)?.Code !== 'ConditionalCheckFailed') return undefined;
  const found = await dynamoDbHolds(requests).find(hold.scope);
  return found?.state === 'done' ? { outcome: 'key-done', result: found.result } : { outcome: 'key-lost' };
};
