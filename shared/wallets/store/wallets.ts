import { createHash } from 'node:crypto';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type Address, addressSchema } from '../../chain/hex.ts';
import { laterPartOf, tellLaterData, withLater } from '../../platform/later-data.ts';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { isConflict, type Table } from '../../platform/store/client.ts';
import { endedKey } from '../../users/store/ended-registration-key.ts';
import type { WalletChange, Wallets } from '../ports/wallets.ts';
import { holderOf, type Ownership, type UserWallets } from '../wallet.ts';
import { challengeKey, usingUp } from './challenges.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const userKey = (holder: string) => ({ pk: `USER#${holder}` });
/**
 * The key has only a hash, because this item outlives the wallet's link and the address must not be stored longer than
 * the link.
 */
export const addressKey = (address: Address) => ({
  pk: `ADDRESS#${createHash('sha256').update(address).digest('hex')}`,
});

const linkedSchema = z.object({
  address: addressSchema,
  linked_at: z.number(),
  opens_from: z.number(),
  opens_until: z.number().optional(),
  proof: z.string(),
});

const userSchema = z.object({
  user_sub: z.string(),
  registration_id: z.string(),
  version: z.int(),
  wallets: z.array(
    linkedSchema.loose().transform((linked) => {
      const { address, linked_at, opens_from, opens_until, proof } = linked;
      return {
        address,
        linkedAt: linked_at,
        opensFrom: opens_from,
        opensUntil: opens_until,
        proof,
        ...withLater(linked, linkedSchema.shape),
      };
    }),
  ),
});

const walletsOfUser = (item: Readonly<Record<string, unknown>>): UserWallets => {
  const { user_sub, registration_id, version, wallets } = userSchema.parse(item);
  const unknown = [
    ...Object.keys(laterPartOf(item, { pk: true, ...userSchema.shape })),
    ...new Set(wallets.flatMap(({ later = {} }) => Object.keys(later).map((name) => `wallets.${name}`))),
  ];
  if (unknown.length > 0) tellLaterData({ kind: 'wallets of a user', unknown });
  return { userSub: user_sub, registrationId: registration_id, version, wallets };
};

const userAttributes = ({ userSub, registrationId, version, wallets }: UserWallets) => ({
  user_sub: userSub,
  registration_id: registrationId,
  version,
  wallets: wallets.map(({ address, linkedAt, opensFrom, opensUntil, proof, later }) => ({
    ...later,
    address,
    linked_at: linkedAt,
    opens_from: opensFrom,
    opens_until: opensUntil,
    proof,
  })),
});

const ownershipSchema = z.object({
  holder: z.string(),
  registration_id: z.string(),
  proven_at: z.number(),
  opens_from: z.number(),
  freed_at: z.number().optional(),
  version: z.int(),
});

const isNew = 'attribute_not_exists(pk)';
/** A list or an address that was deleted begins again with version 1, but for another registration. */
const isTheVersionRead = 'registration_id = :registration AND version = :read';
const hasNotEnded = 'attribute_not_exists(pk)';

type Before = Pick<UserWallets, 'registrationId' | 'version'> | undefined;

const asRead = (before: Before) =>
  before === undefined
    ? { ConditionExpression: isNew }
    : {
        ConditionExpression: isTheVersionRead,
        ExpressionAttributeValues: { ':registration': before.registrationId, ':read': before.version },
      };

/** The table of wallets. No stream, no export and no customer's API call reads this table. */
export const dynamoDbWallets = ({ client, tableName }: Table): Wallets => {
  const read = async (key: { readonly pk: string }) => {
    const { Item } = await client.get({ TableName: tableName, Key: key, ConsistentRead: true });
    return Item;
  };

  /** Replaces an item, or with `isKept` changes it and keeps what a later release has stored in it. */
  const write = (
    key: { readonly pk: string },
    attributes: Readonly<Record<string, unknown>>,
    { before, isKept }: { readonly before: Before; readonly isKept: boolean },
  ): Write =>
    isKept
      ? { Update: { TableName: tableName, Key: key, ...attributeUpdate(attributes, asRead(before)) } }
      : { Put: { TableName: tableName, Item: { ...key, ...attributes }, ...asRead(before) } };

  const userWrite = ({ before, after }: WalletChange['users'][number]): Write[] => {
    const userSub = (after ?? before)?.userSub;
    if (userSub === undefined) return [];
    const key = userKey(holderOf(userSub));
    if (after === undefined) return [{ Delete: { TableName: tableName, Key: key, ...asRead(before) } }];
    // Attributes of an earlier registration are not kept.
    const isKept = before?.registrationId === after.registrationId;
    return [write(key, userAttributes(after), { before, isKept })];
  };

  const ownershipWrite = ({ before, after, forgottenAt }: WalletChange['ownerships'][number]): Write => {
    // Nothing of a user stays after the link has ended: what a later release has stored could be personal data.
    const isKept =
      before?.registrationId === after.registrationId &&
      before.freedAt === undefined &&
      after.freedAt === undefined;
    return write(
      addressKey(after.address),
      {
        holder: after.holder,
        registration_id: after.registrationId,
        proven_at: after.provenAt,
        opens_from: after.opensFrom,
        freed_at: after.freedAt,
        version: after.version,
        expires_at: forgottenAt === undefined ? undefined : Math.ceil(forgottenAt / 1_000),
      },
      { before, isKept },
    );
  };

  return {
    find: async (holder) => {
      const item = await read(userKey(holder));
      return item === undefined ? undefined : walletsOfUser(item);
    },

    ownershipOf: async (address) => {
      const item = await read(addressKey(address));
      if (item === undefined) return undefined;
      const { holder, registration_id, proven_at, opens_from, freed_at, version } =
        ownershipSchema.parse(item);
      const unknown = Object.keys(
        laterPartOf(item, { pk: true, expires_at: true, ...ownershipSchema.shape }),
      );
      if (unknown.length > 0) tellLaterData({ kind: 'owner of a wallet', unknown });
      const ownership: Ownership = {
        address,
        holder,
        registrationId: registration_id,
        provenAt: proven_at,
        opensFrom: opens_from,
        freedAt: freed_at,
        version,
      };
      return ownership;
    },

    hasEnded: async (registrationId) => (await read(endedKey(registrationId))) !== undefined,

    write: async ({ registrationId, users, ownerships, challenge }) => {
      const registered: Write[] =
        registrationId === undefined
          ? []
          : [
              {
                ConditionCheck: {
                  TableName: tableName,
                  Key: endedKey(registrationId),
                  ConditionExpression: hasNotEnded,
                },
              },
            ];
      const consumed: Write[] =
        challenge === undefined
          ? []
          : [
              {
                Update: { TableName: tableName, Key: challengeKey(challenge.id), ...usingUp(challenge) },
              },
            ];
      try {
        await client.transactWrite({
          TransactItems: [
            ...registered,
            ...users.flatMap(userWrite),
            ...ownerships.map(ownershipWrite),
            ...consumed,
          ],
        });
        return 'written';
      } catch (error) {
        if (!isConflict(error)) throw error;
        return 'conflict';
      }
    },
  };
};
