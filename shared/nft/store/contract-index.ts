import type { Address } from '../../chain/hex.ts';
import type { Table } from '../../platform/store/client.ts';

/**
 * The contract's item, read from the index by address. The index may lack the latest write, so a contract that was
 * created a moment ago may be missing.
 */
export const indexedContract = async (
  { client, tableName }: Table,
  address: Address,
): Promise<Record<string, unknown> | undefined> => {
  const { Items: [item] = [] } = await client.query({
    TableName: tableName,
    IndexName: 'by_address',
    KeyConditionExpression: 'address = :address',
    ExpressionAttributeValues: { ':address': address },
    Limit: 1,
  });
  return item;
};
