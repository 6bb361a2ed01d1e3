import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../platform/store/batch-get.ts';
import { queryPages, type Table } from '../../platform/store/client.ts';
import { readLimit } from '../../platform/store/read-page.ts';
import type { EverOwnToken, EverOwnTokens, UserTokens } from '../ports/held-tokens.ts';
import { type CollectionKey, nftSchema } from '../tokens/nft.ts';
import { givenLines, tokenOfLine } from './history-lines.ts';
import { claimNotesPartition, collectionOf, nftKey, nftOf, placeOf, tokenOfPlace } from './nft-items.ts';

const attributes = ['pk', 'sk', ...Object.keys(nftSchema.shape)];

interface Found extends CollectionKey {
  readonly tokenId: string;
}

type Asked = Parameters<UserTokens['list']>[0];

/** A place in which tokens are found, highest ids first. */
interface Source {
  readonly query: Omit<QueryCommandInput, 'TableName'> & { readonly TableName?: string };
  readonly parse: (item: Record<string, unknown>) => Found;
}

/** Tokens of several contracts may have the id of the last token, so indexes are read from that id on. */
const lastIdIn = ({ after }: Asked): string | undefined => after?.split('#')[0];

/** Reserved tokens are found by the index of destinations. */
const reserved = (asked: Asked): Source => {
  const lastId = lastIdIn(asked);
  return {
    query: {
      IndexName: 'by_destination',
      KeyConditionExpression: `destination = :user${lastId === undefined ? '' : ' AND sk <= :last'}`,
      ExpressionAttributeValues: {
        ':user': asked.reservedFor,
        ...(lastId !== undefined && { ':last': lastId }),
      },
    },
    parse: ({ pk, sk }) => ({ ...collectionOf(pk), tokenId: String(Number(sk)) }),
  };
};

/** Claimed tokens are found by the notes of the user's claims. */
const claimed = ({ applicationId, reservedFor, after }: Asked): Source => ({
  query: {
    ConsistentRead: true,
    KeyConditionExpression: `pk = :pk${after === undefined ? '' : ' AND sk < :after'}`,
    ExpressionAttributeValues: {
      ':pk': claimNotesPartition({ applicationId, reservedFor }),
      ...(after !== undefined && { ':after': after }),
    },
  },
  parse: ({ sk }) => ({ applicationId, ...tokenOfPlace(sk) }),
});

/** Tokens that the user has given away are found by the lines of their histories. */
const given = (historyTableName: string, asked: Asked): Source => ({
  query: {
    TableName: historyTableName,
    ...givenLines({ giver: asked.reservedFor, lastId: lastIdIn(asked) }),
  },
  parse: (line) => ({ applicationId: asked.applicationId, ...tokenOfLine(line) }),
});

/** The tokens of these sources, each once, sorted by their places. */
const listFrom = async (
  { client, tableName }: Table,
  sources: readonly Source[],
  asked: Asked,
): Promise<{ readonly items: readonly EverOwnToken[]; readonly next?: string }> => {
  const { applicationId, reservedFor, limit, after } = asked;
  const find = async ({ query, parse }: Source): Promise<Map<string, Found>> => {
    const found = new Map<string, Found>();
    const pages = queryPages(client, { TableName: tableName, ScanIndexForward: false, ...query });
    for await (const { Items = [] } of pages) {
      for (const each of Items.map(parse)) {
        const place = placeOf(each);
        const isAsked = each.applicationId === applicationId && (after === undefined || place < after);
        if (isAsked) found.set(place, each);
      }
      if (found.size >= readLimit(limit)) break;
    }
    return found;
  };
  const found = await Promise.all(sources.map(find));
  const places = new Map(found.flatMap((each) => [...each]));
  const sorted = [...places].sort(([one], [other]) => (one < other ? 1 : -1));
  const shown = sorted.slice(0, limit);
  const items = await batchGet({
    client,
    tableName,
    keys: shown.map(([, key]) => nftKey(key)),
    attributes,
  });
  const nfts = new Map(items.map(nftOf).map((nft) => [placeOf(nft), nft]));
  const last = shown.at(-1);
  return {
    items: shown.map(([place, key]) => {
      const nft = nfts.get(place);
      // A token that was given to another user since is that user's.
      return { key, place, nft, isOwn: nft?.reservedFor === reservedFor };
    }),
    ...(sorted.length > limit && last !== undefined ? { next: last[0] } : {}),
  };
};

/** The tokens that are reserved for a user or that the user has claimed. */
export const dynamoDbUserTokens = (table: Table): UserTokens => ({
  list: async (asked) => {
    const { items, next } = await listFrom(table, [reserved(asked), claimed(asked)], asked);
    return {
      items: items.flatMap(({ nft, isOwn }) => (nft !== undefined && isOwn ? nft : [])),
      ...(next !== undefined && { next }),
    };
  },
});

/** As `dynamoDbUserTokens`, with the tokens that the user has given away. */
export const dynamoDbEverOwnTokens = ({
  historyTableName,
  ...table
}: Table & { readonly historyTableName: string }): EverOwnTokens => ({
  list: (asked) => listFrom(table, [reserved(asked), claimed(asked), given(historyTableName, asked)], asked),
});
