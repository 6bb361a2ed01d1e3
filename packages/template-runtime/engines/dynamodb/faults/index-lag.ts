import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import type { Call } from '../wire.ts';
import { type KeySchema, keyText } from './key-schemas.ts';
import type { Item, Touched } from './requests.ts';

const page = z.looseObject({ Items: z.array(z.record(z.string(), z.unknown())).optional() });
const found = z.object({ Item: z.record(z.string(), z.unknown()).optional() });

interface UnknownWrite {
  /** The item before the write. The index still shows this old version. */
  readonly before: Item | undefined;
  readonly knownAt: number;
}

export interface IndexLagOptions {
  readonly call: Call;
  readonly schemaOf: (table: string) => Promise<KeySchema>;
  readonly clock: Clock;
}

/**
 * Makes global indexes lag behind their tables. Until the lag is over, an index does not show a new item, and shows a
 * changed item with its old values. An item that has left the index or moved to another partition of the index is not
 * shown at all. DynamoDB would still show it in its old place.
 */
export const indexLag = ({ call, schemaOf, clock }: IndexLagOptions) => {
  /** Writes that the indexes do not show yet, keyed by table and item key. The oldest write comes first. */
  const writes = new Map<string, UnknownWrite[]>();

  const pending = (place: string): UnknownWrite[] => {
    const now = clock();
    const left = (writes.get(place) ?? []).filter(({ knownAt }) => knownAt > now);
    if (left.length === 0) writes.delete(place);
    else writes.set(place, left);
    return left;
  };

  return {
    /** Must be called before the database receives the write. */
    beforeWrite: async (touched: readonly Touched[], lagMilliseconds: number): Promise<void> => {
      for (const place of [...writes.keys()]) pending(place);
      await Promise.all(
        touched.map(async ({ table, attributes }) => {
          const schema = await schemaOf(table);
          const Key = Object.fromEntries(schema.names.map((name) => [name, attributes[name]]));
          const answer = await call('DynamoDB_20120810.GetItem', {
            TableName: table,
            Key,
            ConsistentRead: true,
          });
          const place = `${table} ${keyText(schema, attributes)}`;
          const knownAt = clock() + lagMilliseconds;
          writes.set(place, [...pending(place), { before: found.parse(answer).Item, knownAt }]);
        }),
      );
    },
    asOfBefore: async (
      { table, index }: { readonly table: string; readonly index: string },
      body: string,
    ): Promise<string> => {
      const answer = page.parse(JSON.parse(body));
      if (answer.Items === undefined) return body;
      const schema = await schemaOf(table);
      const part = schema.indexes.get(index) ?? '';
      const items = answer.Items.flatMap((item) => {
        const [oldest] = pending(`${table} ${keyText(schema, item)}`);
        if (oldest === undefined) return [item];
        const { before } = oldest;
        if (before === undefined || !isDeepStrictEqual(before[part], item[part])) return [];
        return [Object.fromEntries(Object.entries(before).filter(([name]) => name in item))];
      });
      return JSON.stringify({ ...answer, Items: items, Count: items.length });
    },
  };
};
