import {
  type CancellationReason,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  type DeleteCommandInput,
  type DeleteCommandOutput,
  DynamoDBDocument,
  type GetCommandInput,
  type GetCommandOutput,
  type PutCommandInput,
  type PutCommandOutput,
  type QueryCommandInput,
  type QueryCommandOutput,
  type ScanCommandInput,
  type ScanCommandOutput,
  type TransactWriteCommandInput,
  type TransactWriteCommandOutput,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { type AwsClientOptions, type AwsSettings, clientConfig, retriesOf } from '../aws/client.ts';
import { isRefusal } from '../aws/service-error.ts';
import { hurriedPause, type Pause } from '../time/backoff.ts';

type Call<Input, Output> = (input: Input) => Promise<Omit<Output, '$metadata'>>;

/**
 * Failed calls are repeated. The first try of a repeated write may have had its effect, or may have it later, so a
 * repeated write may run twice, and even after later writes of its caller. Use such writes only where neither does harm
 * (see "A write that runs twice or late" in docs/transactions.md).
 */
export interface DocumentClient {
  readonly get: Call<GetCommandInput, GetCommandOutput>;
  readonly put: Call<PutCommandInput, PutCommandOutput>;
  readonly update: Call<UpdateCommandInput, UpdateCommandOutput>;
  readonly delete: Call<DeleteCommandInput, DeleteCommandOutput>;
  readonly query: Call<QueryCommandInput, QueryCommandOutput>;
  readonly scan: Call<ScanCommandInput, ScanCommandOutput>;
  readonly batchGet: Call<BatchGetCommandInput, BatchGetCommandOutput>;
  readonly batchWrite: Call<BatchWriteCommandInput, BatchWriteCommandOutput>;
  readonly transactWrite: Call<TransactWriteCommandInput, TransactWriteCommandOutput>;
  /** Runs at most once: is repeated only if DynamoDB has refused it, for example because it throttles. */
  readonly updateOnce: Call<UpdateCommandInput, UpdateCommandOutput>;
  /** As `updateOnce`. */
  readonly putOnce: Call<PutCommandInput, PutCommandOutput>;
  /** Never retries. For writes whose callers do their own retries. */
  readonly transactWriteOnce: Call<TransactWriteCommandInput, TransactWriteCommandOutput>;
  /** Waits before its caller repeats what DynamoDB has refused, or answered in part. */
  readonly pause: Pause;
}

/** The maximum number of writes in one DynamoDB transaction ("Amazon DynamoDB Transactions: How it works"). */
export const transactionWritesAtMost = 100;

/** A table, and the client that reaches it. */
export interface Table {
  readonly client: DocumentClient;
  readonly tableName: string;
}

export type DocumentClientOptions = Partial<Pick<AwsClientOptions, 'maxAttempts' | 'onAttempt'>>;

export const documentClientOf = (
  settings: AwsSettings,
  { maxAttempts = 4, onAttempt }: DocumentClientOptions = {},
): DocumentClient => {
  // The base delay is the default of the SDK's DynamoDB client.
  const options = { settings, requestTimeoutMilliseconds: 2_500, baseDelayMilliseconds: 25, onAttempt };
  const config = clientConfig({ ...options, maxAttempts });
  const documents = documentsOf(config);
  // All clients share the connections of `config`.
  const once = documentsOf({ ...config, ...retriesOf({ ...options, maxAttempts, repeats: 'refused' }) });
  const unrepeated = documentsOf({ ...config, ...retriesOf({ ...options, maxAttempts: 1 }) });
  return {
    get: (input) => documents.get(input),
    put: (input) => documents.put(input),
    update: (input) => documents.update(input),
    delete: (input) => documents.delete(input),
    query: (input) => documents.query(input),
    scan: (input) => documents.scan(input),
    batchGet: (input) => documents.batchGet(input),
    batchWrite: (input) => documents.batchWrite(input),
    transactWrite: (input) => documents.transactWrite(input),
    updateOnce: (input) => once.update(input),
    putOnce: (input) => once.put(input),
    transactWriteOnce: (input) => unrepeated.transactWrite(input),
    pause: hurriedPause,
  };
};

/**
 * For functions: create one client at module scope. Failed calls are retried up to three times, within the request's
 * deadline.
 */
export const documentClient = (): DocumentClient => documentClientOf({});

const documentsOf = (config: DynamoDBClientConfig): DynamoDBDocument =>
  DynamoDBDocument.from(new DynamoDBClient(config), { marshallOptions: { removeUndefinedValues: true } });

/** Why a transaction was cancelled: one reason for each item, in order. `undefined` for any other error. */
export const cancellationReasons = (error: unknown): readonly CancellationReason[] | undefined =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : undefined;

/** Whether a transaction wrote nothing because a condition did not hold, or because another write came first. */
export const isConflict = (error: unknown): boolean =>
  cancellationReasons(error)?.some(({ Code }) =>
    /ConditionalCheckFailed|TransactionConflict/.test(Code ?? ''),
  ) === true;

/**
 * The response of a conditional write. `undefined` if the condition did not hold. In that case nothing was written.
 * @throws any other error of the write.
 */
export const answerIfHeld = async <Answer>(write: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (isRefusal(error, 'ConditionalCheckFailedException')) return undefined;
    throw error;
  }
};

/** Whether a write's condition held. If it did not, nothing was written. @throws any other error of the write. */
export const conditionHeld = async (write: Promise<object>): Promise<boolean> =>
  (await answerIfHeld(write)) !== undefined;

export const queryPages = (client: Pick<DocumentClient, 'query'>, input: QueryCommandInput) =>
  pages(client.query, input);

export const scanPages = (client: Pick<DocumentClient, 'scan'>, input: ScanCommandInput) =>
  pages(client.scan, input);

async function* pages<Input, Output extends Pick<QueryCommandOutput, 'LastEvaluatedKey'>>(
  call: (input: Input) => Promise<Output>,
  input: Input,
): AsyncGenerator<Output> {
  let next = input;
  for (;;) {
    const page = await call(next);
    yield page;
    if (page.LastEvaluatedKey === undefined) return;
    next = { ...input, ExclusiveStartKey: page.LastEvaluatedKey };
  }
}
