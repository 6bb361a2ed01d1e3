import type { DocumentClient } from './client.ts';

type Item = Record<string, unknown>;

/** DynamoDB answers part of a batch when it is throttled; this many calls in a row must make it whole. */
const attempts = 5;

/**
 * Consistent reads of up to 100 items, those that exist, in no order.
 *
 * @throws Error when DynamoDB keeps leaving some unread.
 */
export const batchGet = async ({
  client,
  tableName,
  keys,
  attributes,
}: {
  readonly client: Pick<DocumentClient, 'batchGet'>;
  readonly tableName: string;
  readonly keys: readonly Item[];
  readonly attributes: readonly string[];
}): Promise<Item[]> => {
  const items: Item[] = [];
  let unread: Item[] = [...keys];
  for (let attempt = 0; attempt < attempts && unread.length > 0; attempt++) {
    const { Responses, UnprocessedKeys } = await client.batchGet({
      RequestItems: {
        [tableName]: {
          Keys: unread,
          ConsistentRead: true,
          ProjectionExpression: attributes.map((_, index) => `#${index}`).join(', '),
          ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])),
        },
      },
    });
    items.push(...(Responses?.[tableName] ?? []));
    unread = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  if (unread.length > 0) throw new Error(`${tableName} left ${unread.length} of ${keys.length} items unread`);
  return items;
};
