import * as z from 'zod';
import { type Address, addressSchema } from '../../chain/hex.ts';
import { conditionHeld, type Table } from '../../platform/store/client.ts';
import {
  type Item,
  ifMissing,
  keep,
  leave,
  never,
  putMissing,
  type RestorableTable,
  type RestoringWrite,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';
import { dynamoDbApplicationUserSubs } from '../../users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../users/store/users.ts';
import { registeredOf } from '../history/registered.ts';
import { applicationUserSubOf } from '../reservations/stand-in.ts';
import type { Undecided } from '../restored/undecided.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { type Entry, isKnownEntry, type Told } from '../transactions/entry.ts';
import { naming } from './history-lines.ts';
import { claimNoteKey, collectionOf } from './nft-items.ts';
import { type MintedAfter, mendCounters, usedAfter, withoutMarks } from './restored-counters.ts';
import { parseEntry } from './transaction-items.ts';

/** What a reserved token becomes that was claimed after the moment. Which transaction minted it is not known any more. */
export const mintedTo = (destination: Address) => ({ status: 'confirmed', destination, nonce: 0 }) as const;

const pendingSchema = z.object({ status: z.literal('pending'), nonce: z.int() });

/**
 * The nonces of the pending transactions of a contract or token: of its creation, and of the last change of each part.
 */
const pendingNonces = (item: Item): number[] =>
  [item, ...Object.values(item)].flatMap((each) => pendingSchema.safeParse(each).data?.nonce ?? []);

/** Restores contracts, and collects in `undecided` what is pending in them. */
export const restoredContracts = ({ tableName }: Table, undecided: Undecided): RestorableTable => ({
  keys: ['pk', 'sk'],
  kinds: [
    {
      name: 'contract',
      matches: startsWith('0x', 'sk'),
      decide: (restored, live) => {
        const [applicationId, contract] = [String(restored.pk), addressSchema.parse(restored.sk)];
        undecided.resources.push(
          ...pendingNonces(restored).map((nonce) => ({ applicationId, contract, nonce })),
        );
        return ifMissing(tableName)(restored, live);
      },
    },
  ],
});

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
      pass: 2,
      decide: async (restored, live) => {
        const nonces = pendingNonces(restored);
        const key = collectionOf(restored.pk);
        if (nonces.length > 0) undecided.resources.push(...nonces.map((nonce) => ({ ...key, nonce })));
        const put = (item: Item) =>
          live === undefined ? putMissing(tableName, item) : putOver(tableName, { live, item });
        if (live !== undefined && !hasTakenId(live, restored)) return keep;
        if (restored.status !== 'reserved') return write(put(restored));
        undecided.reservations.push({
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
        });
        return leave;
      },
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

/**
 * Lines about changes that the restored tokens do not show stay: they tell what was done. A user who was removed since is
 * not named again.
 */
export const restoredHistory = (
  { client, tableName }: Table,
  { usersTable, subsTable }: { readonly usersTable: string; readonly subsTable: string },
): RestorableTable => {
  const subs = dynamoDbApplicationUserSubs({ client, tableName: subsTable });
  const users = dynamoDbUsers({ client, tableName: usersTable });
  const isRegistered = async (standIn: Address): Promise<boolean> => {
    const applicationId = await subs.applicationOf(applicationUserSubOf(standIn));
    if (applicationId === undefined) return false;
    return (await registeredOf({ subs, users }, { applicationId, standIns: [standIn] })).has(standIn);
  };
  return {
    keys: ['pk', 'sk'],
    kinds: [
      {
        name: 'line of a history',
        matches: startsWith('token', 'sk'),
        decide: async (restored, live) =>
          live === undefined ? write(putMissing(tableName, await naming(restored, isRegistered))) : keep,
      },
    ],
  };
};

const countSchema = z.object({
  pk: z.string(),
  sk: z.string(),
  made: z.int().default(0),
  expiresAt: z.int(),
});

/**
 * A completed idempotency key is restored even if another request holds it by now: that request then gets the
 * first result, and does not mint a second time.
 */
export const restoredRequests = ({ tableName }: Table): RestorableTable => ({
  keys: ['pk', 'sk'],
  timeToLive: 'expiresAt',
  kinds: [
    {
      name: 'idempotency key',
      matches: (item) => startsWith('KEY#')(item) && item.state === 'done',
      decide: (restored, live) => {
        if (live === undefined) return write(putMissing(tableName, restored));
        if (live.state !== 'claimed') return keep;
        return write({
          Put: {
            TableName: tableName,
            Item: restored,
            ConditionExpression: '#state = :claimed',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':claimed': 'claimed' },
          },
        });
      },
    },
    { name: 'hold of an idempotency key', matches: startsWith('KEY#'), decide: never },
    {
      name: 'count of a day',
      matches: startsWith('COUNT#'),
      decide: (item, live) => {
        const { pk, sk, made } = countSchema.parse(item);
        if (live === undefined) return write(putMissing(tableName, item));
        const known = countSchema.parse(live).made;
        // A count never falls, so a count that is lower than the restored one began again after the loss, and both must
        // be added.
        if (known >= made) return keep;
        return write({
          Update: {
            TableName: tableName,
            Key: { pk, sk },
            UpdateExpression: 'SET made = :both',
            ConditionExpression: 'made = :known',
            ExpressionAttributeValues: { ':both': made + known, ':known': known },
          },
        });
      },
    },
  ],
});

/**
 * Restores entries of the log, also in place of the noops that have filled their nonces. Those with an outcome keep it,
 * so the log's stream notifies no customer again. Pending ones are also collected in `undecided`.
 */
export const restoredTransactions = (
  { tableName }: Table,
  {
    undecided,
    toldAbout,
  }: {
    readonly undecided: Undecided;
    /** What customers were told about the work of a pending entry since it was signed. */
    readonly toldAbout: (entry: Entry) => Promise<readonly Told[]>;
  },
): RestorableTable => ({
  keys: ['pk', 'sk'],
  kinds: [
    {
      name: 'transaction that was pending',
      matches: ({ status }) => status === 'pending',
      decide: async (restored, live) => {
        const entry = parseEntry(restored);
        if (!isKnownEntry(entry)) return ifMissing(tableName)(restored, live);
        undecided.entries.push(entry);
        if (live !== undefined && !mayReplace(live, restored)) return keep;
        const told = await toldAbout(entry);
        const item = {
          ...restored,
          reopened: (entry.reopened ?? 0) + 1,
          ...(told.length > 0 && { told }),
        };
        return write(
          live === undefined ? putMissing(tableName, item) : putOverNoop(tableName, { live, item }),
        );
      },
    },
    {
      name: 'transaction',
      matches: ({ status }) => typeof status === 'string',
      decide: (restored, live) => {
        if (live === undefined) return write(putMissing(tableName, restored));
        return mayReplace(live, restored) ? write(putOverNoop(tableName, { live, item: restored })) : keep;
      },
    },
  ],
});

/** A waiter has filled the nonce of a lost entry with a noop. Whichever of the two is mined, the waiter decides the entry. */
const mayReplace = (live: Item, restored: Item): boolean => isKindNoop(live) && !isKindNoop(restored);

const attemptsSchema = z.object({ attempts: z.tuple([z.object({ hash: z.string() })], z.unknown()) });

const putOverNoop = (
  TableName: string,
  { live, item }: { readonly live: Item; readonly item: Item },
): RestoringWrite => ({
  Put: {
    TableName,
    Item: item,
    ConditionExpression: 'purpose.kind = :noop AND attempts[0].#hash = :hash',
    ExpressionAttributeNames: { '#hash': 'hash' },
    ExpressionAttributeValues: {
      ':noop': 'noop',
      ':hash': attemptsSchema.parse(live).attempts[0].hash,
    },
  },
});

const isKindNoop = ({ purpose }: Item): boolean =>
  z.object({ kind: z.literal('noop') }).safeParse(purpose).success;
