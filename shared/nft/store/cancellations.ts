/** Why DynamoDB refused a transaction, as it concerns the requests that record something. */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { isRefusal } from '../../platform/aws/service-error.ts';
import type { Table } from '../../platform/store/client.ts';
import type { Hold, ResourceReference } from '../ports/holds.ts';
import type { RecordOutcome } from '../ports/transaction-log.ts';
import type { NftKey } from '../tokens/nft.ts';
import { dynamoDbHolds } from './holds.ts';
import type { Write } from './nft-items.ts';

/**
 * What it means that the condition of a write of a recording failed: the recording's outcome or, if this depends on
 * what is stored, what to read.
 */
export type MeaningOfRefusal =
  | Extract<
      RecordOutcome,
      {
        readonly outcome: 'outdated' | 'token-changed' | 'registration-ended' | 'lease-lost' | 'places-lost';
      }
    >
  | { readonly outcome: 'key-taken'; readonly hold: Hold }
  | { readonly outcome: 'nonce-taken' }
  | { readonly outcome: 'not-burnable'; readonly token: NftKey }
  /** Nothing that a request may meet makes the condition fail. */
  | { readonly outcome: 'unexplained' };

export interface RecordingWrite {
  readonly write: Write;
  readonly refusedMeans: MeaningOfRefusal;
}

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

export const isRefused = (reason: CancellationReason | undefined): boolean =>
  reason?.Code === 'ConditionalCheckFailed';

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
 * The outcome of a request that could not end its hold of an idempotency key: another one holds it, or has completed
 * it.
 */
export const takenKey = async (
  requests: Table,
  { scope }: Hold,
): Promise<
  { readonly outcome: 'key-done'; readonly result: ResourceReference } | { readonly outcome: 'key-lost' }
> => {
  const found = await dynamoDbHolds(requests).find(scope);
  return found?.state === 'done' ? { outcome: 'key-done', result: found.result } : { outcome: 'key-lost' };
};
