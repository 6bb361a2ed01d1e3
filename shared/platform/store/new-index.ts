import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { isRefusal } from '../aws/service-error.ts';
import { logger } from '../logger.ts';
import { type DocumentClient, queryPages } from './client.ts';

const isNotThere =
  /^(Cannot read from backfilling global secondary index|The table does not have the specified index)\b/;

/** The indexes of which this process has logged that they are not there. */
const told = new Set<string>();

/**
 * The pages of a query of a global index that the release before did not have. While the index is not there, they are
 * those of an empty index, which is logged once in the life of a process. CloudFormation deploys the functions before
 * DynamoDB has built the index, and a rollback removes the index before the functions.
 */
export async function* queryNewIndex(
  client: Pick<DocumentClient, 'query'>,
  input: QueryCommandInput & { readonly IndexName: string },
): AsyncGenerator<Omit<QueryCommandOutput, '$metadata'>> {
  try {
    yield* queryPages(client, input);
  } catch (error) {
    if (!isRefusal(error, 'ValidationException') || !isNotThere.test(error.message)) throw error;
    const { TableName: table, IndexName: index } = input;
    const name = `${table}/${index}`;
    if (told.has(name)) return;
    told.add(name);
    logger.warn('An index is not there yet, and counts as empty', { code: 'INDEX_NOT_THERE', table, index });
  }
}
