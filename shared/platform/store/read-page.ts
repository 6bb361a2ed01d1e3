import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Page } from '../page.ts';

/** One item more than the page shows. If it is found, there is a next page. */
export const readLimit = (limit: number): number => limit + 1;

/**
 * Makes a page from the result of a query for `readLimit` items. DynamoDB also ends a result at 1 MB, so a page may be
 * shorter than `limit`.
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
