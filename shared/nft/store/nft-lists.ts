import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { isAddress } from '../../chain/hex.ts';
import type { Page } from '../../platform/page.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import type { DocumentClient } from '../../platform/store/client.ts';
import { pageOf, readLimit } from '../../platform/store/read-page.ts';
import type { Nfts } from '../ports/nfts.ts';
import { receiverOf } from '../reservations/stand-in.ts';
import { type CollectionKey, type Nft, nftSchema } from '../tokens/nft.ts';
import { collectionPartition, nftOf } from './nft-items.ts';

export interface NftListDependencies {
  readonly client: Pick<DocumentClient, 'query' | 'batchGet' | 'pause'>;
  readonly tableName: string;
}

/**
 * The maximum number of items that are read for a filtered page. At this limit the page ends, and its `next` continues
 * from there.
 */
const examinedAtMost = 1_000;

/** This many of the newest tokens are also read from the table itself, because the index may not have them yet. */
const unindexedAtMost = 100;

const attributes = ['pk', 'sk', ...Object.keys(nftSchema.shape)];

const skOf = ({ sk }: Readonly<Record<string, unknown>>): string => String(sk);

const newestFirst = (tableName: string): QueryCommandInput => ({
  TableName: tableName,
  ScanIndexForward: false,
});

const matching = async (
  { client }: Pick<NftListDependencies, 'client'>,
  { query, limit }: { readonly query: QueryCommandInput; readonly limit: number },
): Promise<Page<Record<string, unknown>>> => {
  const items: Record<string, unknown>[] = [];
  let examined = 0;
  let from = query;
  for (;;) {
    const Limit = examined === 0 ? readLimit(limit) : examinedAtMost - examined;
    const { Items = [], ScannedCount = 0, LastEvaluatedKey } = await client.query({ ...from, Limit });
    items.push(...Items);
    examined += ScannedCount;
    const last = items[limit - 1];
    if (items.length > limit && last !== undefined) {
      return { items: items.slice(0, limit), next: skOf(last) };
    }
    if (LastEvaluatedKey === undefined) return { items };
    if (examined >= examinedAtMost) return { items, next: skOf(LastEvaluatedKey) };
    from = { ...query, ExclusiveStartKey: LastEvaluatedKey };
  }
};

type Listing = CollectionKey & { readonly limit: number; readonly after?: string };

const before = (after: string | undefined) => ({
  condition: after === undefined ? '' : ' AND sk < :after',
  values: after === undefined ? {} : { ':after': after },
});

const ofCollection = (
  tableName: string,
  { after, ...key }: CollectionKey & { readonly after?: string },
): QueryCommandInput => {
  const { condition, values } = before(after);
  return {
    ...newestFirst(tableName),
    ConsistentRead: true,
    KeyConditionExpression: `pk = :pk${condition}`,
    ExpressionAttributeValues: { ':pk': collectionPartition(key), ...values },
  };
};

const listAll = async ({ client, tableName }: NftListDependencies, { limit, ...listing }: Listing) =>
  pageOf(await client.query({ ...ofCollection(tableName, listing), Limit: readLimit(limit) }), {
    limit,
    sortKey: 'sk',
    parse: nftOf,
  });

const listOfStatus = async (
  dependencies: NftListDependencies,
  { limit, status, ...listing }: Listing & { readonly status: Nft['status'] },
): Promise<Page<Nft>> => {
  const query = ofCollection(dependencies.tableName, listing);
  const page = await matching(dependencies, {
    limit,
    query: {
      ...query,
      FilterExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':status': status },
    },
  });
  return { ...page, items: page.items.map(nftOf) };
};

const listOfDestination = async (
  { client, tableName }: NftListDependencies,
  {
    limit,
    after,
    destination,
    status,
    ...key
  }: Listing & { readonly destination: string; readonly status: Nft['status'] | undefined },
): Promise<Page<Nft>> => {
  const { condition, values } = before(after);
  const receiver = receiverOf(destination);
  const isOfUser = !isAddress(destination);
  const [indexed, newest] = await Promise.all([
    matching(
      { client },
      {
        limit,
        query: {
          ...newestFirst(tableName),
          IndexName: 'by_destination',
          KeyConditionExpression: `destination = :destination${condition}`,
          // The index has tokens of all collections, and one destination may have tokens of several collections.
          FilterExpression: 'pk = :pk',
          ExpressionAttributeValues: {
            ':destination': receiver,
            ':pk': collectionPartition(key),
            ...values,
          },
        },
      },
    ),
    client.query({
      ...ofCollection(tableName, { ...key, ...(after !== undefined && { after }) }),
      Limit: unindexedAtMost,
    }),
  ]);
  const fresh = (newest.Items ?? [])
    .filter((item) => item.destination === receiver)
    .map(skOf)
    .filter((sk) => indexed.next === undefined || sk >= indexed.next);
  // Tokens of several collections may have the id at which the page ends, and the next page begins below this id.
  const atEnd = indexed.next === undefined ? [] : [indexed.next];
  const found = [...new Set([...indexed.items.map(skOf), ...fresh, ...atEnd])].sort().reverse();
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1) : indexed.next;
  const pk = collectionPartition(key);
  const items = await batchGet({ client, tableName, keys: shown.map((sk) => ({ pk, sk })), attributes });
  return {
    items: items
      .toSorted((one, other) => (skOf(one) < skOf(other) ? 1 : -1))
      .map(nftOf)
      // A reserved token may have been given to another user, or claimed, since the index got it.
      .filter((nft) => nft.destination === receiver && (nft.status === 'reserved') === isOfUser)
      .filter((nft) => status === undefined || nft.status === status),
    next,
  };
};

export const nftLists = (dependencies: NftListDependencies): Pick<Nfts, 'list'> => ({
  list: ({ destination, status, ...rest }) => {
    // Another filter does not compile here before it is applied.
    const listing: Listing = rest satisfies Pick<Listing, keyof typeof rest>;
    if (destination !== undefined)
      return listOfDestination(dependencies, { ...listing, destination, status });
    return status === undefined
      ? listAll(dependencies, listing)
      : listOfStatus(dependencies, { ...listing, status });
  },
});
