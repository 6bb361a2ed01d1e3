import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { attributesIn } from './expression-attributes.ts';

/**
 * Refuses calls that DynamoDB would refuse but the embedded server accepts. The messages are those of DynamoDB Local
 * 3.3.1. One check is missing: an `ExclusiveStartKey` in the right partition is not compared with the sort key
 * condition.
 */

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const indexSchema = z.object({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.object({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.array(z.string()).default([]),
  }),
});
const definitionSchema = z.object({
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(indexSchema).default([]),
  LocalSecondaryIndexes: z.array(indexSchema).default([]),
});

interface Keys {
  readonly hash: string;
  readonly range: string | undefined;
}

interface Index extends Keys {
  readonly isGlobal: boolean;
  /** `undefined` means all attributes. */
  readonly projected: ReadonlySet<string> | undefined;
}

export interface TableKeys extends Keys {
  readonly indexes: ReadonlyMap<string, Index>;
}

const keysOf = (schema: z.output<typeof keySchema>): Keys => ({
  hash: schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '',
  range: schema.find(({ KeyType }) => KeyType === 'RANGE')?.AttributeName,
});

export const tableKeys = (definition: unknown): TableKeys => {
  const { KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } = definitionSchema.parse(definition);
  const index = (
    isGlobal: boolean,
    { IndexName, KeySchema: own, Projection }: z.output<typeof indexSchema>,
  ) => {
    const keys = [...KeySchema, ...own].map(({ AttributeName }) => AttributeName);
    const projected =
      Projection.ProjectionType === 'ALL' ? undefined : new Set([...keys, ...Projection.NonKeyAttributes]);
    return [IndexName, { ...keysOf(own), isGlobal, projected }] as const;
  };
  return {
    ...keysOf(KeySchema),
    indexes: new Map([
      ...GlobalSecondaryIndexes.map((each) => index(true, each)),
      ...LocalSecondaryIndexes.map((each) => index(false, each)),
    ]),
  };
};

const attributeValue = z.record(z.string(), z.unknown());
const item = z.record(z.string(), attributeValue);
const expressions = {
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: item.default({}),
};
const tableName = z.string();

const put = z.object({ TableName: tableName, Item: item });
const update = z.object({ TableName: tableName, UpdateExpression: z.string().default(''), ...expressions });
const query = z.object({
  TableName: tableName,
  IndexName: z.string().optional(),
  KeyConditionExpression: z.string().default(''),
  FilterExpression: z.string().optional(),
  ProjectionExpression: z.string().optional(),
  ExclusiveStartKey: item.optional(),
  ...expressions,
});
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });
const batch = z.object({
  RequestItems: z.record(z.string(), z.array(z.object({ PutRequest: z.object({ Item: item }).optional() }))),
});

type FindKeys = (tableName: string) => TableKeys | undefined;
type Query = z.output<typeof query>;

const hashBytes = 2_048;
const rangeBytes = 1_024;
const operandsAtMost = 100;

/** @returns DynamoDB's error message, or `undefined` if nothing is wrong with the call. */
export const refusalOf = (operation: string, input: unknown, find: FindKeys): string | undefined =>
  refusals[operation]?.(input, find) ?? crowdedIn(callsIn(operation, input));

const callsIn = (operation: string, input: unknown): unknown[] =>
  operation === 'TransactWriteItems'
    ? transaction.parse(input).TransactItems.flatMap((action) => Object.values(action))
    : [input];

const refusals: Readonly<Record<string, (input: unknown, find: FindKeys) => string | undefined>> = {
  PutItem: (input, find) => ofPut(put.parse(input), find),
  UpdateItem: (input, find) => ofUpdate(update.parse(input), find),
  BatchWriteItem: (input, find) =>
    first(
      Object.entries(batch.parse(input).RequestItems).flatMap(([TableName, requests]) =>
        requests.map(({ PutRequest }) => PutRequest && ofPut({ TableName, ...PutRequest }, find)),
      ),
    ),
  TransactWriteItems: (input, find) =>
    first(
      transaction.parse(input).TransactItems.map((action) => {
        if (Object.values(action).filter((part) => part !== undefined).length > 1)
          return 'TransactItems can only contain one of Check, Put, Update or Delete';
        if (action.Put !== undefined) return ofPut(put.parse(action.Put), find);
        if (action.Update !== undefined) return ofUpdate(update.parse(action.Update), find);
        return undefined;
      }),
    ),
  Query: (input, find) => ofQuery(query.parse(input), find),
  Scan: (input, find) => ofProjection(query.parse(input), find),
};

const first = (found: readonly (string | undefined)[]): string | undefined =>
  found.find((refusal) => refusal !== undefined);

const expressionsOf = (call: unknown): [name: string, expression: string][] =>
  Object.entries(call ?? {}).filter(
    (entry): entry is [string, string] => entry[0].endsWith('Expression') && typeof entry[1] === 'string',
  );

/** Refuses an `IN` with more than 100 values ("Expression operator and function reference"). */
const crowdedIn = (calls: readonly unknown[]): string | undefined => {
  for (const [name, expression] of calls.flatMap(expressionsOf)) {
    for (const [, list = ''] of expression.matchAll(/\bIN\s*\(([^()]*)\)/gi)) {
      const count = list.split(',').length;
      if (count > operandsAtMost)
        return `Invalid ${name}: The IN operator is provided with too many operands; number of operands: ${count}`;
    }
  }
  return undefined;
};

const bytesOf = (value: Readonly<Record<string, unknown>> | undefined): number => {
  const [text] = Object.values(value ?? {});
  return typeof text === 'string' ? Buffer.byteLength(text) : 0;
};

const sizes = (keys: TableKeys | undefined, values: z.output<typeof item>): string | undefined => {
  for (const { hash, range } of keys?.indexes.values() ?? []) {
    const isLong =
      bytesOf(values[hash]) > hashBytes || (range !== undefined && bytesOf(values[range]) > rangeBytes);
    if (isLong) return 'One or more parameter values were invalid: Size limit exceeded';
  }
  return undefined;
};

const ofPut = ({ TableName, Item }: z.output<typeof put>, find: FindKeys): string | undefined =>
  sizes(find(TableName), Item);

const named = (name: string, { ExpressionAttributeNames }: Pick<Query, 'ExpressionAttributeNames'>): string =>
  ExpressionAttributeNames[name] ?? name;

const ofUpdate = (call: z.output<typeof update>, find: FindKeys): string | undefined => {
  const set = [...call.UpdateExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)].flatMap(
    ([, name = '', value = '']) => {
      const given = call.ExpressionAttributeValues[value];
      return given === undefined ? [] : [[named(name, call), given] as const];
    },
  );
  return sizes(find(call.TableName), Object.fromEntries(set));
};

const comparisonsOf = (call: Query) =>
  [
    ...call.KeyConditionExpression.matchAll(
      /(?:begins_with\s*\(\s*)?([#\w]+)\s*(=|<=?|>=?|,|BETWEEN)\s*(:\w+)(?:\s+AND\s+(:\w+))?/gi,
    ),
  ].map(([, name = '', operator, ...values]) => ({
    attribute: named(name, call),
    operator,
    values: values.flatMap((value) => {
      const given = value === undefined ? undefined : call.ExpressionAttributeValues[value];
      return given === undefined ? [] : [given];
    }),
  }));

const ofQuery = (call: Query, find: FindKeys): string | undefined => {
  const keys = find(call.TableName);
  const { hash } = (call.IndexName === undefined ? keys : keys?.indexes.get(call.IndexName)) ?? {};
  for (const { attribute, operator, values } of comparisonsOf(call)) {
    if (values.some(({ S, B }) => S === '' || B === ''))
      return `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${attribute}`;
    const start = call.ExclusiveStartKey?.[attribute];
    if (start && attribute === hash && operator === '=' && !isDeepStrictEqual(start, values[0]))
      return 'The provided starting key is outside query boundaries based on provided conditions';
  }
  return ofProjection(call, find);
};

const ofProjection = (call: Query, find: FindKeys): string | undefined => {
  const index = call.IndexName === undefined ? undefined : find(call.TableName)?.indexes.get(call.IndexName);
  const { isGlobal, projected } = index ?? {};
  if (!isGlobal || projected === undefined) return undefined;
  const lacking = (expression: string | undefined) =>
    attributesIn(expression ?? '', call.ExpressionAttributeNames).filter(
      (attribute) => !projected.has(attribute),
    );
  const unprojected = lacking(call.ProjectionExpression);
  if (unprojected.length > 0)
    return `One or more parameter values were invalid: Global secondary index ${call.IndexName} does not project [${unprojected.join(', ')}]`;
  const unfiltered = lacking(call.FilterExpression);
  if (unfiltered.length > 0)
    return `One or more parameter values were invalid: Secondary index ${call.IndexName} does not project one or more filter attributes: [${unfiltered.join(', ')}]`;
  return undefined;
};
