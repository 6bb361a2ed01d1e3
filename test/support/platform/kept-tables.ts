import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { createTables, type TestDatabase } from './dynamodb.ts';

let kept = 0;

/** Copies what tables have now into other tables, as DynamoDB restores the state of a moment. Returns their names. */
export const keepTables = async <const Id extends string>(
  database: TestDatabase,
  tables: Readonly<Record<Id, string>>,
): Promise<Record<Id, string>> => {
  kept += 1;
  const ids = Object.keys(tables) as Id[];
  const copies = await createTables(database, ids, `kept${kept}-${process.pid}`);
  for (const id of ids) {
    for (const Item of await itemsIn(database, tables[id])) {
      await database.documents.put({ TableName: copies[id], Item });
    }
  }
  return copies;
};

/** All items of a table, in the order of their keys. */
export const itemsIn = async (
  { sdk }: Pick<TestDatabase, 'sdk'>,
  TableName: string,
): Promise<Record<string, unknown>[]> => {
  const found: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client: sdk }, { TableName, ConsistentRead: true })) {
    found.push(...Items);
  }
  const keyOf = ({ pk, sk, user_sub, application_id, endpoint_id }: Record<string, unknown>) =>
    JSON.stringify(pk === undefined ? [user_sub, application_id, endpoint_id] : [pk, sk]);
  return found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};
