import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endWithRequest } from '../end-with-request.ts';

/**
 * A single write to an item that is in somebody's transaction is refused with an error that the SDK does not repeat,
 * though "OK to retry" is what DynamoDB says of it (Developer Guide, *Error handling*): from here on it does.
 */
const repeatConflicts = (client: DynamoDBClient): DynamoDBClient => {
  client.middlewareStack.add(
    (next) => async (parameters) => {
      try {
        return await next(parameters);
      } catch (error) {
        if (error instanceof Error && error.name === 'TransactionConflictException') {
          throw Object.assign(error, { $retryable: { throttling: true } });
        }
        throw error;
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'repeatConflicts' },
  );
  return client;
};

/** Without what the SDK prepares of each input and each answer for a log that nobody reads: 4 % of a list of tokens. */
const withoutLog = (client: DynamoDBClient): DynamoDBClient => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/** A document client as every function has it, to another endpoint where a test says so. */
export const documentClientOf = (config: DynamoDBClientConfig): DynamoDBDocumentClient =>
  endWithRequest(
    DynamoDBDocumentClient.from(
      withoutLog(
        repeatConflicts(
          new DynamoDBClient({
            maxAttempts: 4,
            requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true },
            ...config,
          }),
        ),
      ),
      { marshallOptions: { removeUndefinedValues: true } },
    ),
  );

/**
 * The document client of a function, made once at module scope. What is throttled or gets no answer is repeated
 * three times, within the time of the request that it is for.
 */
export const documentClient = (): DynamoDBDocumentClient => documentClientOf({});

/** The same connections, and nothing is repeated: for writes whose caller counts them. */
export const withoutRepetition = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  const { region, credentials, endpoint, requestHandler } = client.config;
  return endWithRequest(
    DynamoDBDocumentClient.from(
      withoutLog(
        new DynamoDBClient({
          region,
          credentials,
          requestHandler,
          maxAttempts: 1,
          ...(endpoint === undefined ? {} : { endpoint }),
        }),
      ),
      {
        marshallOptions: { removeUndefinedValues: true },
      },
    ),
  );
};
