import { conditionHeld, type Table } from '../../platform/store/client.ts';
import type { TestCounts } from '../ports/test-counts.ts';

const isBelow = 'attribute_not_exists(sent) OR sent < :most';

export const dynamoDbTestCounts = ({ client, tableName: TableName }: Table): TestCounts => ({
  // The SDK may repeat the update if the answer is lost. Then one test counts twice, which does no harm.
  count: ({ applicationId, minute, atMost }) =>
    conditionHeld(
      client.update({
        TableName,
        Key: { pk: `TESTS#${applicationId}#${minute}`, sk: 'COUNT' },
        UpdateExpression: 'ADD sent :one SET expires_at = :end',
        ConditionExpression: isBelow,
        ExpressionAttributeValues: { ':one': 1, ':most': atMost, ':end': (minute + 1) * 60 },
      }),
    ),
});
