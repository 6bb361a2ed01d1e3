import * as z from 'zod';
import { attributesIn } from './expression-attributes.ts';
import type { TableKeys } from './refusals.ts';

/**
 * The IAM condition keys of a call ("Using IAM policy conditions for fine-grained access control"): the partition key
 * values and attributes that the call uses, whether a read requests all attributes or only some, and what a write
 * returns.
 */

const item = z.record(z.string(), z.unknown());
const callSchema = z.looseObject({
  Key: item.optional(),
  Item: item.optional(),
  Select: z.string().optional(),
  ReturnValues: z.string().default('NONE'),
  ProjectionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeValues: item.default({}),
  IndexName: z.string().optional(),
});
type Call = z.output<typeof callSchema>;

const readsSchema = callSchema.extend({ Keys: z.array(item) });
const writesSchema = z.array(
  z.object({
    PutRequest: z.object({ Item: item }).optional(),
    DeleteRequest: z.object({ Key: item }).optional(),
  }),
);

const namedIn = (call: Call): string[] =>
  Object.entries(call).flatMap(([name, expression]) =>
    name.endsWith('Expression') && typeof expression === 'string'
      ? attributesIn(expression, call.ExpressionAttributeNames)
      : [],
  );

const textOf = (value: unknown): string => String(Object.values(value ?? {})[0] ?? '');

const selectOf = (call: Call): string =>
  call.Select ?? (call.ProjectionExpression === undefined ? 'ALL_ATTRIBUTES' : 'SPECIFIC_ATTRIBUTES');

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);
const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

export const itemContext = (
  operation: string,
  input: unknown,
  keys: TableKeys | undefined,
): Readonly<Record<string, readonly string[]>> => {
  if (operation === 'BatchWriteItem') {
    const items = writesSchema
      .parse(input)
      .flatMap(({ PutRequest, DeleteRequest }) => [PutRequest?.Item ?? DeleteRequest?.Key ?? {}]);
    return {
      ...attributesOf(items.flatMap((each) => Object.keys(each))),
      ...leadingKeysOf(items, keys),
    };
  }
  if (operation === 'BatchGetItem') {
    const call = readsSchema.parse(input);
    return {
      ...attributesOf([...call.Keys.flatMap((each) => Object.keys(each)), ...namedIn(call)]),
      ...leadingKeysOf(call.Keys, keys),
      'dynamodb:Select': [selectOf(call)],
    };
  }
  const call = callSchema.parse(input);
  const about = call.Key ?? call.Item;
  return {
    ...attributesOf([...Object.keys(about ?? {}), ...namedIn(call)]),
    ...(about === undefined ? queriedKeyOf(call, keys) : leadingKeysOf([about], keys)),
    ...(reads.has(operation) && { 'dynamodb:Select': [selectOf(call)] }),
    ...(writes.has(operation) && { 'dynamodb:ReturnValues': [call.ReturnValues] }),
  };
};

const attributesOf = (names: readonly string[]) => ({ 'dynamodb:Attributes': [...new Set(names)] });

const leadingKeysOf = (
  items: readonly Readonly<Record<string, unknown>>[],
  keys: TableKeys | undefined,
): Readonly<Record<string, readonly string[]>> => {
  const leading = items.flatMap((each) => (keys && keys.hash in each ? [textOf(each[keys.hash])] : []));
  return leading.length === 0 ? {} : { 'dynamodb:LeadingKeys': [...new Set(leading)] };
};

/** The partition that a query reads: that of the index, if it queries an index. A scan reads all, and so has none. */
const queriedKeyOf = (
  call: Call,
  keys: TableKeys | undefined,
): Readonly<Record<string, readonly string[]>> => {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names, IndexName } = call;
  const hash = (IndexName === undefined ? keys : keys?.indexes.get(IndexName))?.hash;
  const comparisons = KeyConditionExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)|(:\w+)\s*=\s*([#\w]+)/g);
  for (const [, left, right, firstValue, lastName] of comparisons) {
    const [name = '', value = ''] = left === undefined ? [lastName, firstValue] : [left, right];
    if ((names[name] ?? name) !== hash) continue;
    return { 'dynamodb:LeadingKeys': [textOf(call.ExpressionAttributeValues[value])] };
  }
  return {};
};
