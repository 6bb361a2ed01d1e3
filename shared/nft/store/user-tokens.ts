import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { addressSchema } from '../../chain/hex.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { queryPages, type Table } from '../../platform/store/client.ts';
import { readLimit } from '../../platform/store/page.ts';
import type { UserTokens } from '../ports/held-tokens.ts';
import { type CollectionKey, nftSchema } from '../tokens/nft.ts';
import { claimNotesPartition, collectionOf, nftKey, nftOf, placeOf } from './nft-items.ts';

const attributes = ['pk', 'sk', ...Object.keys(nftSchema.shape)];

interface Found extends CollectionKey {
  readonly tokenId: string;
}

/**
 * Reserved tokens are found by the index of destinations, and claimed ones by the notes of the user's claims. Both are
 * sorted by their places.
 */
export const dynamoDbUserTokens = ({ client, tableName }: Table): UserTokens => ({
  list: async ({ applicationId, reservedFor, limit, after }) => {
    const find = async (
      query: Partial<QueryCommandInput>,
      parse: (item: Record<string, unknown>) => Found,
    ) => {
      const found: Found[] = [];
      const pages = queryPages(client, { TableName: tableName, ScanIndexForward: false, ...query });
      for await (const { Items = [] } of pages) {
        const own = Items.map(parse).filter((each) => each.applicationId === applicationId);
        found.push(...own.filter((each) => after === undefined || placeOf(each) < after));
        if (found.length >= readLimit(limit)) break;
      }
      return found;
    };
    // Tokens of several contracts may have the id of the last token, so the index is read from that id on.
    const [lastId] = after?.split('#') ?? [];
    const [reserved, claimed] = await Promise.all([
      find(
        {
          IndexName: 'by_destination',
          KeyConditionExpression: `destination = :user${lastId === undefined ? '' : ' AND sk <= :last'}`,
          ExpressionAttributeValues: {
            ':user': reservedFor,
            ...(lastId !== undefined && { ':last': lastId }),
          },
        },
        ({ pk, sk }) => ({ ...collectionOf(pk), tokenId: String(Number(sk)) }),
      ),
      find(
        {
          ConsistentRead: true,
          KeyConditionExpression: `pk = :pk${after === undefined ? '' : ' AND sk < :after'}`,
          ExpressionAttributeValues: {
            ':pk': claimNotesPartition({ applicationId, reservedFor }),
            ...(after !== undefined && { ':after': after }),
          },
        },
        ({ sk }) => {
          const [id, contract] = String(sk).split('#');
          return { applicationId, contract: addressSchema.parse(contract), tokenId: String(Number(id)) };
        },
      ),
    ]);
    const places = new Map([...reserved, ...claimed].map((each) => [placeOf(each), each]));
    const sorted = [...places.keys()].sort().reverse();
    const shown = sorted.slice(0, limit);
    const keys = shown.flatMap((place) => {
      const found = places.get(place);
      return found === undefined ? [] : [nftKey(found)];
    });
    const items = await batchGet({ client, tableName, keys, attributes });
    const last = shown.at(-1);
    return {
      items: items
        .map(nftOf)
        // A token that was given to another user since is that user's.
        .filter((nft) => nft.reservedFor === reservedFor)
        .toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1)),
      ...(sorted.length > limit && last !== undefined ? { next: last } : {}),
    };
  },
});
