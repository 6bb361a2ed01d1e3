import { batchGet } from '../../platform/store/batch-get.ts';
import { queryPages, type Table } from '../../platform/store/client.ts';
import type { HeldTokens } from '../ports/held-tokens.ts';
import { nftOf } from './nft-items.ts';

const keysAtOnce = 25;

export const dynamoDbHeldTokens = ({ client, tableName }: Table): HeldTokens => ({
  heldBy: async function* ({ holder }) {
    const pages = queryPages(client, {
      TableName: tableName,
      IndexName: 'by_holder',
      KeyConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': holder },
      ScanIndexForward: false,
      Limit: keysAtOnce,
    });
    for await (const { Items = [] } of pages) {
      const keys = Items.map(({ pk, sk }) => ({ pk, sk }));
      const items = await batchGet({ client, tableName, keys });
      yield* items
        .filter((item) => item.holder === holder)
        .toSorted((one, other) => (String(one.sk) < String(other.sk) ? 1 : -1))
        .map(nftOf);
    }
  },
});
