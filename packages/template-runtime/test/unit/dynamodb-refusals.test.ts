import { describe, expect, it } from 'vitest';
import { refusalOf, tableKeys } from '../../engines/dynamodb/refusals.ts';

const TableName = 'table';
const schema = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  { AttributeName: range, KeyType: 'RANGE' },
];
const keys = tableKeys({
  TableName,
  KeySchema: schema('pk', 'sk'),
  AttributeDefinitions: [],
  GlobalSecondaryIndexes: [
    { IndexName: 'gsi', KeySchema: schema('g', 'h'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    {
      IndexName: 'wide',
      KeySchema: schema('g', 'sk'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['z'] },
    },
  ],
});
const refusal = (operation: string, input: object) =>
  refusalOf(operation, { TableName, ...input }, (name) => (name === TableName ? keys : undefined));

const key = { pk: { S: 'a' }, sk: { S: 'b' } };
const long = (bytes: number) => ({ S: 'x'.repeat(bytes) });
const values = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`:v${index}`, { S: String(index) }]));
const inOf = (count: number) => `z IN (${Object.keys(values(count)).join(', ')})`;
const ofPartition = (value: string) => ({
  KeyConditionExpression: '#p = :p',
  ExpressionAttributeNames: { '#p': 'pk' },
  ExpressionAttributeValues: { ':p': { S: value } },
});
const ofIndex = {
  IndexName: 'gsi',
  KeyConditionExpression: 'g = :g',
  ExpressionAttributeValues: { ':g': { S: 'x' } },
};

const tooLong = 'One or more parameter values were invalid: Size limit exceeded';
const empty = (name: string) =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`;
const outside = 'The provided starting key is outside query boundaries based on provided conditions';

describe('the check of requests that DynamoDB rejects and the embedded server accepts', () => {
  it.each<[string, string, object, string | undefined]>([
    ['an index key of 2,048 bytes', 'PutItem', { Item: { ...key, g: long(2_048) } }, undefined],
    ['an index key of 2,049 bytes', 'PutItem', { Item: { ...key, g: long(2_049) } }, tooLong],
    ['a sort key of an index over 1,024 bytes', 'PutItem', { Item: { ...key, h: long(1_025) } }, tooLong],
    [
      'a long index key that an update sets',
      'UpdateItem',
      {
        Key: key,
        UpdateExpression: 'SET #g = :g',
        ExpressionAttributeNames: { '#g': 'g' },
        ExpressionAttributeValues: { ':g': long(2_049) },
      },
      tooLong,
    ],
    [
      'a long index key in a transaction',
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName, Item: { ...key, g: long(2_049) } } }] },
      tooLong,
    ],
    [
      'a long index key in a batch',
      'BatchWriteItem',
      { RequestItems: { [TableName]: [{ PutRequest: { Item: { ...key, g: long(2_049) } } }] } },
      tooLong,
    ],
    [
      'two actions in one part of a transaction',
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName, Item: key }, Delete: { TableName, Key: key } }] },
      'TransactItems can only contain one of Check, Put, Update or Delete',
    ],
    [
      'IN with 100 values',
      'Scan',
      { FilterExpression: inOf(100), ExpressionAttributeValues: values(100) },
      undefined,
    ],
    [
      'IN with 101 values',
      'Scan',
      { FilterExpression: inOf(101), ExpressionAttributeValues: values(101) },
      'Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101',
    ],
    ['an empty partition key in a query', 'Query', ofPartition(''), empty('pk')],
    [
      'an empty sort key in a query',
      'Query',
      {
        KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)',
        ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: '' } },
      },
      empty('sk'),
    ],
    ['a start key of the partition', 'Query', { ...ofPartition('a'), ExclusiveStartKey: key }, undefined],
    ['a start key of another partition', 'Query', { ...ofPartition('b'), ExclusiveStartKey: key }, outside],
    [
      'a start key of another partition of an index',
      'Query',
      { ...ofIndex, ExclusiveStartKey: { ...key, g: { S: 'y' }, h: { S: 'h' } } },
      outside,
    ],
    ['a projection of keys', 'Query', { ...ofIndex, ProjectionExpression: 'pk, sk, g, h' }, undefined],
    [
      'a projection of an attribute that the index lacks',
      'Query',
      { ...ofIndex, ProjectionExpression: 'pk, #z.inner', ExpressionAttributeNames: { '#z': 'z' } },
      'One or more parameter values were invalid: Global secondary index gsi does not project [z]',
    ],
    [
      'a projection of an attribute that the index includes',
      'Query',
      { ...ofIndex, IndexName: 'wide', ProjectionExpression: 'z.a[0]' },
      undefined,
    ],
    [
      'a filter by an attribute that the index lacks',
      'Query',
      { ...ofIndex, FilterExpression: 'attribute_exists(z) AND pk <> :g' },
      'One or more parameter values were invalid: Secondary index gsi does not project one or more filter attributes: [z]',
    ],
  ])('answers %s as DynamoDB does', (_, operation, input, words) => {
    expect(refusal(operation, input)).toBe(words);
  });
});
