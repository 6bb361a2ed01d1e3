import { tellLaterData } from '../../platform/later-data.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import type { Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import type { HeldTokens } from '../ports/held-tokens.ts';
import { nftStatusSchema } from '../tokens/status.ts';
import { nftKey, nftOf } from './nft-items.ts';

const keysAtOnce = 25;

/** A status of a later release may say that nobody holds the token now. */
const hasKnownStatus = ({ status }: Readonly<Record<string, unknown>>): boolean => {
  const isKnown = nftStatusSchema.safeParse(status).success;
  if (!isKnown) tellLaterData({ kind: 'token', unknown: ['status'] });
  return isKnown;
};

export const dynamoDbHeldTokens = ({ client, tableName }: Table): HeldTokens => {
  const known = async (keys: readonly Record<string, unknown>[]) =>
    (await batchGet({ client, tableName, keys })).filter(hasKnownStatus);

  return {
    heldBy: async function* ({ holder }) {
      // No release without the index has reserved a token.
      const pages = queryNewIndex(client, {
        TableName: tableName,
        IndexName: 'by_holder',
        KeyConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder },
        ScanIndexForward: false,
        Limit: keysAtOnce,
      });
      for await (const { Items = [] } of pages) {
        const items = await known(Items.map(({ pk, sk }) => ({ pk, sk })));
        yield* items
          .filter((item) => item.holder === holder)
          .toSorted((one, other) => (String(one.sk) < String(other.sk) ? 1 : -1))
          .map(nftOf);
      }
    },

    find: async (token) => {
      const [item] = await known([nftKey(token)]);
      return item && nftOf(item);
    },
  };
};
