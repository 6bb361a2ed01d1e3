import { ServiceUnavailableError } from '../errors.ts';
import type { DocumentClient } from './client.ts';

type Item = Record<string, unknown>;

/**
 * The maximum number of calls for one batch. When DynamoDB throttles, it returns only part of a batch. The remaining
 * items are requested again after a pause.
 */
const callsAtMost = 5;

/** DynamoDB's limit of one call. */
export const keysAtMost = 100;

interface BatchGetOptions {
  readonly client: Pick<DocumentClient, 'batchGet' | 'pause'>;
  readonly tableName: string;
  readonly keys: readonly Item[];
  /** @default all of them */
  readonly attributes?: readonly string[];
}

/**
 * Consistent reads of items, in no particular order: a hundred at a time, one batch after the other. Missing items are
 * left out.
 * @throws ServiceUnavailableError when DynamoDB still leaves items unread after all retries.
 */
export const batchGet = async ({ keys, ...options }: BatchGetOptions): Promise<Item[]> => {
  const items: Item[] = [];
  for (let from = 0; from < keys.length; from += keysAtMost) {
    items.push(...(await readBatch({ ...options, keys: keys.slice(from, from + keysAtMost) })));
  }
  return items;
};

const readBatch = async ({ client, tableName, keys, attributes }: BatchGetOptions): Promise<Item[]> => {
  const items: Item[] = [];
  let unread: Item[] = [...keys];
  for (let calls = 0; unread.length > 0; calls += 1) {
    if (calls === callsAtMost) {
      throw new ServiceUnavailableError({
        message: `${tableName}: ${unread.length} of ${keys.length} items are still unread after ${calls} calls`,
      });
    }
    if (calls > 0) await client.pause(calls);
    const { Responses, UnprocessedKeys } = await client.batchGet({
      RequestItems: {
        [tableName]: {
          Keys: unread,
          ConsistentRead: true,
          ...(attributes && {
            ProjectionExpression: attributes.map((_, index) => `#${index}`).join(', '),
            ExpressionAttributeNames: Object.fromEntries(
              attributes.map((name, index) => [`#${index}`, name]),
            ),
          }),
        },
      },
    });
    items.push(...(Responses?.[tableName] ?? []));
    unread = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return items;
};
