import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Page } from '../../page.ts';

/** To be asked for: one more than is shown tells whether there is a next page. */
export const readLimit = (limit: number): number => limit + 1;

/**
 * What a query for `readLimit` items answered, as a page. DynamoDB also ends an answer at 1 MB, and then the page is
 * a shorter one.
 */
export const pageOf = <Item>(
  { Items = [], LastEvaluatedKey }: Pick<QueryCommandOutput, 'Items' | 'LastEvaluatedKey'>,
  {
    limit,
    sortKey,
    parse,
  }: {
    readonly limit: number;
    readonly sortKey: string;
    readonly parse: (item: Record<string, unknown>) => Item;
  },
): Page<Item> => {
  const shown = Items.slice(0, limit);
  const last = shown.at(-1);
  const isMore = Items.length > limit || LastEvaluatedKey !== undefined;
  return {
    items: shown.map(parse),
    ...(isMore && last !== undefined ? { next: String(last[sortKey]) } : {}),
  };
};
