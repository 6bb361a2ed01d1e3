import type { QueryCommandInput, ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { conditionOf, type Item } from './expressions.ts';
import { placeholdersOf, projected } from './items.ts';
import { hashOf } from './streams.ts';

export interface TableKeys {
  readonly keys: readonly [string, string?];
  /** Only the keys are declared, because every index contains whole items. */
  readonly indexes?: Readonly<Record<string, readonly [string, string?]>>;
}

/** Whether a scan that reads a table in parts finds this partition. */
export const isInSegment = (pk: string, { Segment = 0, TotalSegments = 1 }: ScanCommandInput): boolean =>
  TotalSegments === 1 || (hashOf(pk) >>> 0) % TotalSegments === Segment;

/** Cuts the requested page of a query or a scan out of the items that were found. */
export const paged = (
  { keys }: TableKeys,
  input: QueryCommandInput | ScanCommandInput,
  found: readonly Item[],
) => {
  const isLast = (item: Item) =>
    keys.every((name) => name === undefined || item[name] === input.ExclusiveStartKey?.[name]);
  const start = input.ExclusiveStartKey === undefined ? 0 : found.findIndex(isLast) + 1;
  const page = found.slice(start, input.Limit === undefined ? undefined : start + input.Limit);
  const last = page.at(-1);
  const isMore = last !== undefined && start + page.length < found.length;
  const placeholders = placeholdersOf(input);
  const filter = input.FilterExpression === undefined ? undefined : conditionOf(input.FilterExpression);
  const Items = page
    .filter((item) => filter === undefined || filter(item, placeholders))
    .map((item) => projected(item, input.ProjectionExpression, placeholders));
  const LastEvaluatedKey = isMore
    ? Object.fromEntries(keys.flatMap((name) => (name === undefined ? [] : [[name, last[name]]])))
    : undefined;
  return {
    Items,
    Count: Items.length,
    ScannedCount: page.length,
    ...(LastEvaluatedKey !== undefined && { LastEvaluatedKey }),
  };
};
