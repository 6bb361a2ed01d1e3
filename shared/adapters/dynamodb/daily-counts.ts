import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DailyCounts } from '../../nft/ports/daily-counts.ts';

/** Nobody asks for a count of the day before yesterday. */
const keptSeconds = 2 * 24 * 60 * 60;

const isBelowLimit = 'attribute_not_exists(made) OR made <= :room';

export const dynamoDbDailyCounts = ({
  client,
  tableName,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}): DailyCounts => ({
  count: async ({ application, what, by, day, limit }) => {
    if (by > limit) return false;
    try {
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: { pk: `COUNT#${application}`, sk: `${day}#${what}` },
          UpdateExpression: 'ADD made :by SET expiresAt = :expiresAt',
          ConditionExpression: isBelowLimit,
          ExpressionAttributeValues: {
            ':by': by,
            ':room': limit - by,
            ':expiresAt': Date.parse(day) / 1_000 + keptSeconds,
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  },
});
