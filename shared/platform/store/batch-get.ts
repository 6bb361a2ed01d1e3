import { ServiceUnavailableError } from '../errors.ts';
import type { DocumentClient } from './client.ts';

type Item = Record<string, unknown>;

/**
 * The maximum number of calls for one batch. When DynamoDB throttles, it returns only part of a batch. The remaining
 * items are requested again after a pause.
 */
const callsAtMost = 5;

/**
 * Consistent reads of up to 100 items, in no particular order. Missing items are left out.
 * @throws ServiceUnavailableError when DynamoDB still leaves items unread after all retries.
 */
export const batchGet = async ({
  client,
  tableName,
  keys,
  attributes,
}: {
  readonly client: Pick<DocumentClient, 'batchGet' | 'pause'>;
  readonly tableName: string;
  readonly keys: readonly Item[];
  /** @default all of them */
  readonly attributes?: readonly string[];
}): Promise<Item[]> => {
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
