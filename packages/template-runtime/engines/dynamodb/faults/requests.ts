import * as z from 'zod';

export type Item = Readonly<Record<string, unknown>>;

const item = z.record(z.string(), z.unknown());
const write = z.looseObject({ TableName: z.string(), Item: item.optional(), Key: item.optional() });
const transaction = z.looseObject({
  TransactItems: z.array(
    z.partialRecord(z.enum(['Put', 'Update', 'Delete', 'ConditionCheck', 'Get']), write),
  ),
});
const batchWrite = z.looseObject({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.looseObject({
        PutRequest: z.looseObject({ Item: item }).optional(),
        DeleteRequest: z.looseObject({ Key: item }).optional(),
      }),
    ),
  ),
});
const batchGet = z.looseObject({
  RequestItems: z.record(
    z.string(),
    z.looseObject({ Keys: z.array(item), ConsistentRead: z.boolean().optional() }),
  ),
});
const query = z.looseObject({
  TableName: z.string(),
  IndexName: z.string().optional(),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()).default({}),
  ConsistentRead: z.boolean().default(false),
});

export type Query = z.output<typeof query>;
export type BatchWrite = z.output<typeof batchWrite>;
export type BatchGet = z.output<typeof batchGet>;

export interface Touched {
  readonly table: string;
  readonly isWrite: boolean;
  /** The whole item for a Put. For all other operations only the item's key. */
  readonly attributes: Item;
  readonly isWhole: boolean;
  readonly isConsistent: boolean;
}

const writeOperations = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

export const isTransaction = (operation: string): boolean => operation.startsWith('Transact');
/**
 * Whether the operation can conflict with a transaction. On AWS, entries of a batch can conflict too; here they cannot.
 */
export const mayConflict = (operation: string): boolean =>
  isTransaction(operation) || writeOperations.has(operation);

export const parseQuery = (input: unknown): Query => query.parse(input);
export const parseBatchWrite = (input: unknown): BatchWrite => batchWrite.parse(input);
export const parseBatchGet = (input: unknown): BatchGet => batchGet.parse(input);
export const transactionLength = (input: unknown): number => transaction.parse(input).TransactItems.length;

const named = z.looseObject({ TableName: z.string() });
const batch = z.looseObject({ RequestItems: z.record(z.string(), z.unknown()) });

export const tablesOf = (operation: string, input: unknown): readonly string[] => {
  if (isTransaction(operation)) {
    return transaction
      .parse(input)
      .TransactItems.flatMap((each) => Object.values(each).flatMap((part) => part?.TableName ?? []));
  }
  if (operation.startsWith('Batch')) return Object.keys(batch.parse(input).RequestItems);
  return [named.parse(input).TableName];
};

/**
 * Returns every item that a call names by its key. Returns none for a query or scan: only the response shows their
 * items.
 */
export const touchedBy = (operation: string, input: unknown): readonly Touched[] => {
  const one = (isWrite: boolean, part: z.output<typeof write>, isConsistent = false): Touched[] => {
    const attributes = part.Item ?? part.Key;
    if (attributes === undefined) return [];
    return [{ table: part.TableName, isWrite, attributes, isWhole: part.Item !== undefined, isConsistent }];
  };
  if (isTransaction(operation)) {
    return transaction
      .parse(input)
      .TransactItems.flatMap((each) =>
        Object.entries(each).flatMap(([kind, part]) => (part ? one(kind !== 'Get', part, true) : [])),
      );
  }
  if (operation === 'BatchWriteItem') {
    return Object.entries(batchWrite.parse(input).RequestItems).flatMap(([TableName, entries]) =>
      entries.flatMap(({ PutRequest, DeleteRequest }) =>
        one(true, { TableName, Item: PutRequest?.Item, Key: DeleteRequest?.Key }),
      ),
    );
  }
  if (operation === 'BatchGetItem') {
    return Object.entries(batchGet.parse(input).RequestItems).flatMap(
      ([TableName, { Keys, ConsistentRead }]) =>
        Keys.flatMap((Key) => one(false, { TableName, Key }, ConsistentRead)),
    );
  }
  if (operation === 'Query' || operation === 'Scan') return [];
  const { ConsistentRead } = z.looseObject({ ConsistentRead: z.boolean().default(false) }).parse(input);
  return one(writeOperations.has(operation), write.parse(input), ConsistentRead);
};
