import * as z from 'zod';
import { type Table, transactionWritesAtMost } from '../../platform/store/client.ts';
import type { Changes, RecordedChanges } from '../ports/changes.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { changeKey, changeKeysOfTokens, collectionPartition } from './nft-items.ts';

/**
 * The maximum number of rows that one query reads. A row is smaller than 300 bytes, so the rows stay below DynamoDB's
 * limit of 1 MB.
 */
const rowsAtMost = 1_000;

/** `change` is `contract#time` or `tokens#from#to#time`. */
const rowSchema = z
  .object({ pk: z.string(), sk: z.string(), change: z.string() })
  .transform(({ pk, sk, change }) => {
    const parts = change.split('#');
    return { signer: pk, nonce: Number(sk), signedAt: Number(parts.at(-1)), to: Number(parts.at(-2)) };
  });

export const dynamoDbChanges = ({ client, tableName }: Table): Changes => {
  const rows = async (key: CollectionKey, { from, to }: { readonly from: string; readonly to: string }) => {
    const { Items = [], LastEvaluatedKey } = await client.query({
      TableName: tableName,
      IndexName: 'by_collection',
      ScanIndexForward: false,
      KeyConditionExpression: '#collection = :collection AND #change BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#collection': 'collection', '#change': 'change' },
      ExpressionAttributeValues: { ':collection': collectionPartition(key), ':from': from, ':to': to },
      Limit: rowsAtMost,
    });
    return { found: Items.map((item) => rowSchema.parse(item)), isMore: LastEvaluatedKey !== undefined };
  };

  const newestFirst = ({
    found,
    isMore,
  }: {
    readonly found: readonly z.output<typeof rowSchema>[];
    readonly isMore: boolean;
  }): RecordedChanges => ({
    changes: found
      .map(({ to, ...change }) => change)
      .sort((a, b) => b.signedAt - a.signedAt || b.nonce - a.nonce),
    isMore,
  });

  return {
    ofContract: async (key) =>
      newestFirst(
        await rows(key, { from: changeKey.contract(0), to: changeKey.contract(Number.MAX_SAFE_INTEGER) }),
      ),

    ofToken: async ({ tokenId, ...key }) => {
      const id = Number(tokenId);
      // One DynamoDB transaction has stored the change of each of its tokens. So whatever the limit of requests was then,
      // a change whose first id is lower than `first` cannot contain this token.
      const first = Math.max(0, id - transactionWritesAtMost + 1);
      const { found, isMore } = await rows(key, changeKeysOfTokens({ first, last: id }));
      return newestFirst({ found: found.filter(({ to }) => to >= id), isMore });
    },
  };
};
