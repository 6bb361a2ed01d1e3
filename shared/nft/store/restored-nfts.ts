import * as z from 'zod';
import { type Address, addressSchema } from '../../chain/hex.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import {
  type Item,
  ifMissing,
  keep,
  leave,
  putMissing,
  type RestorableTable,
  type RestoringWrite,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';
import type { LostReservation } from '../restored/settle-reserved.ts';
import type { Undecided } from '../restored/undecided.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { claimNoteKey, collectionOf } from './nft-items.ts';
import { type MintedAfter, mendCounters, usedAfter, withoutMarks } from './restored-counters.ts';
import { collecting, pendingNonces } from './restored-undecided.ts';

/**
 * What a reserved token becomes that was claimed after the moment. Which transaction minted it is not known any more.
 */
export const mintedTo = (destination: Address) => ({ status: 'confirmed', destination, nonce: 0 }) as const;

const counterSchema = z.looseObject({
  tokens: z.int().default(0),
  taken: z.int().optional(),
  /** First token ids of failed mints whose places were given back. */
  returned: z.set(z.int()).optional(),
});

const collectionOfCounter = (pk: unknown): CollectionKey => collectionOf(String(pk).replace(/#counter$/, ''));

/**
 * Restores tokens, and the counters of their ids. A counter only rises: above all ids that were used before the loss,
 * the last of which are on the chain.
 */
export const restoredNfts = (
  { client, tableName }: Table,
  {
    undecided,
    mintedAfter,
    contractsTable,
  }: {
    readonly contractsTable: string;
    readonly undecided: Undecided;
    readonly mintedAfter: MintedAfter;
  },
): RestorableTable => ({
  keys: ['pk', 'sk'],
  kinds: [
    {
      name: 'counter of token ids',
      matches: ({ sk }) => sk === 'counter',
      decide: async (item, liveItem) => {
        const restored = counterSchema.parse(item);
        const known = counterSchema.optional().parse(liveItem);
        if (known !== undefined && known.tokens >= restored.tokens) return keep;
        const key = collectionOfCounter(item.pk);
        const { last, count } = await usedAfter({ client, tableName }, mintedAfter, {
          ...key,
          after: restored.tokens,
        });
        const taken = restored.taken === undefined ? undefined : restored.taken + count;
        if (known === undefined) {
          return write(
            putMissing(tableName, {
              ...withoutMarks(item),
              tokens: last,
              ...(taken !== undefined && { taken }),
            }),
          );
        }
        const { returned } = restored;
        return write({
          Update: {
            TableName: tableName,
            Key: { pk: item.pk, sk: item.sk },
            UpdateExpression: `SET tokens = :last${taken === undefined ? '' : ', taken = :taken'}${returned === undefined ? '' : ' ADD returned :returned'}`,
            ConditionExpression: 'tokens = :tokens',
            ExpressionAttributeValues: {
              ':last': last,
              ':tokens': known.tokens,
              // The places that the live counter has assigned since the loss are used too.
              ...(taken !== undefined && { ':taken': taken + (known.taken ?? 0) }),
              ...(returned !== undefined && { ':returned': returned }),
            },
          },
        });
      },
    },
    {
      name: 'note of a claim',
      matches: ({ pk }) => String(pk).includes('#claims#'),
      decide: ifMissing(tableName),
    },
    { name: 'fence', matches: startsWith('fence#', 'sk'), decide: ifMissing(tableName) },
    {
      name: 'token',
      matches: ({ sk }) => /^\d+$/.test(String(sk)),
      // Counters come first, so that no mint takes the id of a token that is about to come back.
      pass: 2,
      decide: collecting(undecided, (restored, live) => {
        const key = collectionOf(restored.pk);
        const resources = pendingNonces(restored).map((nonce) => ({ ...key, nonce }));
        const put = (item: Item) =>
          live === undefined ? putMissing(tableName, item) : putOver(tableName, { live, item });
        if (live !== undefined && !hasTakenId(live, restored))
          return { becomes: keep, undecided: { resources } };
        if (restored.status !== 'reserved')
          return { becomes: write(put(restored)), undecided: { resources } };
        const reservation: LostReservation = {
          ...key,
          tokenId: String(Number(restored.sk)),
          store: async (owner) => {
            const { holder, ...token } = restored;
            const reservedFor = addressSchema.safeParse(restored.reservedFor).data;
            const item = owner === undefined ? restored : { ...token, ...mintedTo(owner) };
            const { Put } = put(item);
            // The note of a claim that was recorded after the moment. Without its token, a note means nothing.
            if (owner !== undefined && reservedFor !== undefined) {
              const note = claimNoteKey({ ...key, tokenId: String(Number(restored.sk)), reservedFor });
              await client.put({ TableName: tableName, Item: note });
            }
            if (Put !== undefined) await conditionHeld(client.put(Put));
            return true;
          },
        };
        return { becomes: leave, undecided: { resources, reservations: [reservation] } };
      }),
    },
  ],
  after: () => mendCounters({ client, tableName }, { mintedAfter, contractsTable }),
});

/**
 * Whether a mint after the loss took the id of an existing token, because the counter was lost. Such a mint has failed.
 * A token that was reserved and revoked has failed, too, but still names its user.
 */
const hasTakenId = (live: Item, restored: Item): boolean =>
  live.status === 'failed' &&
  (restored.status === 'reserved'
    ? live.reservedFor === undefined
    : restored.status === 'confirmed' && live.nonce !== restored.nonce);

const putOver = (
  TableName: string,
  { live, item }: { readonly live: Item; readonly item: Item },
): RestoringWrite => ({
  Put: {
    TableName,
    Item: item,
    ConditionExpression: '#status = :failed AND nonce = :nonce',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':failed': 'failed', ':nonce': live.nonce },
  },
});
