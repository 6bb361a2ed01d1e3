import { describe, expect, it } from 'vitest';
import { itemContext } from '../../engines/dynamodb/item-context.ts';
import { tableKeys } from '../../engines/dynamodb/refusals.ts';

const keys = tableKeys({ KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] });
const contextOf = (operation: string, input: object) => itemContext(operation, input, keys);

describe('the IAM condition keys of a DynamoDB call', () => {
  it('include the top-level attributes by their real names', () => {
    const context = contextOf('UpdateItem', {
      Key: { pk: { S: 'a' } },
      UpdateExpression: 'SET info.#x.y = if_not_exists(#0, :v), tags[0] = :v REMOVE old',
      ConditionExpression: 'attribute_exists(pk) AND NOT size(#n) > :v',
      ExpressionAttributeNames: { '#x': 'inner', '#0': 'first', '#n': 'name' },
    });

    expect(context).toEqual({
      'dynamodb:Attributes': ['pk', 'info', 'first', 'tags', 'old', 'name'],
      'dynamodb:LeadingKeys': ['a'],
      'dynamodb:ReturnValues': ['NONE'],
    });
  });

  it('include whether a read requests all attributes', () => {
    const Key = { pk: { S: 'a' } };

    expect(contextOf('GetItem', { Key })).toMatchObject({ 'dynamodb:Select': ['ALL_ATTRIBUTES'] });
    expect(contextOf('GetItem', { Key, ProjectionExpression: 'name' })).toMatchObject({
      'dynamodb:Attributes': ['pk', 'name'],
      'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'],
    });
  });

  it('include the partition keys of all items of a batch', () => {
    const context = contextOf('BatchWriteItem', [
      { PutRequest: { Item: { pk: { S: 'a' }, name: { S: 'x' } } } },
      { DeleteRequest: { Key: { pk: { S: 'b' } } } },
    ]);

    expect(context).toEqual({
      'dynamodb:Attributes': ['pk', 'name'],
      'dynamodb:LeadingKeys': ['a', 'b'],
    });
  });

  it('include the partition that a query reads, of the table or of the index', () => {
    const withIndex = tableKeys({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_owner',
          KeySchema: [
            { AttributeName: 'owner', KeyType: 'HASH' },
            { AttributeName: 'pk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    const query = (call: object) => itemContext('Query', call, withIndex);

    expect(
      query({
        KeyConditionExpression: 'begins_with(sk, :from) AND #p = :p',
        ExpressionAttributeNames: { '#p': 'pk' },
        ExpressionAttributeValues: { ':p': { S: 'EVENT#1' }, ':from': { S: 'a' } },
      }),
    ).toMatchObject({ 'dynamodb:LeadingKeys': ['EVENT#1'] });
    expect(
      query({
        IndexName: 'by_owner',
        KeyConditionExpression: 'pk = :p AND :o = owner',
        ExpressionAttributeValues: { ':p': { S: 'EVENT#1' }, ':o': { S: 'anna' } },
      }),
    ).toMatchObject({ 'dynamodb:LeadingKeys': ['anna'] });
    expect(itemContext('Scan', {}, withIndex)).not.toHaveProperty('dynamodb:LeadingKeys');
  });
});
