import * as z from 'zod';
import type { Call } from '../wire.ts';
import type { Item } from './requests.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const description = z.object({
  Table: z.object({
    KeySchema: keySchema,
    GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string(), KeySchema: keySchema })).default([]),
  }),
});

export interface KeySchema {
  readonly hash: string;
  readonly names: readonly string[];
  readonly indexes: ReadonlyMap<string, string>;
}

const hashOf = (schema: z.output<typeof keySchema>): string =>
  schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';

/** Caches key schemas: they do not change during a table's life. */
export const keySchemas = (call: Call) => {
  const known = new Map<string, Promise<KeySchema>>();

  const ask = async (TableName: string): Promise<KeySchema> => {
    const { Table } = description.parse(await call('DynamoDB_20120810.DescribeTable', { TableName }));
    return {
      hash: hashOf(Table.KeySchema),
      names: Table.KeySchema.map(({ AttributeName }) => AttributeName),
      indexes: new Map(
        Table.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => [IndexName, hashOf(KeySchema)]),
      ),
    };
  };

  return (table: string): Promise<KeySchema> => {
    const found = known.get(table) ?? ask(table);
    known.set(table, found);
    found.catch(() => known.delete(table));
    return found;
  };
};

export const keyText = ({ names }: KeySchema, attributes: Item): string =>
  JSON.stringify(names.map((name) => attributes[name]));
