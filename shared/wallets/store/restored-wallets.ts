import * as z from 'zod';
import type { Address } from '../../chain/hex.ts';
import {
  type Item,
  ifMissing,
  keep,
  leave,
  never,
  putMissing,
  type RestorableTable,
  type RestoredTables,
  type Restoring,
  type RestoringWrite,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';
import { endedKey } from '../../users/store/ended-registration-key.ts';
import { hasNotEnded, isStillRegistered, stored } from '../../users/store/restored-users.ts';
import { addressKey } from './wallets.ts';

const userSchema = z.looseObject({
  user_sub: z.string(),
  registration_id: z.string(),
  wallets: z.array(z.looseObject({ address: z.string().transform((address) => address as Address) })),
});
const ownershipSchema = z.object({ registration_id: z.string(), freed_at: z.number().optional() });

/**
 * The wallets of a user come back as the links of the user's registration. A wallet that belongs to another user by now,
 * or that its user has unlinked, stays so. Challenges, and the counts of an hour, are minutes old and never come back.
 */
export const restoredWallets = (
  { live: { client, tableName }, restored: source }: RestoredTables,
  { usersTable }: { readonly usersTable: string },
): RestorableTable => {
  /** What becomes of one wallet. `undefined`: it is not linked any more. */
  const link = async (
    address: Address,
    { registrationId, isListed }: { readonly registrationId: string; readonly isListed: boolean },
  ): Promise<readonly RestoringWrite[] | undefined> => {
    const key = addressKey(address);
    const now = ownershipSchema.optional().parse(await stored(client, tableName, key));
    if (now !== undefined) {
      const isOwn = now.registration_id === registrationId && now.freed_at === undefined;
      if (!isOwn) return undefined;
      if (isListed) return [];
      return [
        {
          ConditionCheck: {
            TableName: tableName,
            Key: key,
            ConditionExpression: 'registration_id = :registration AND attribute_not_exists(freed_at)',
            ExpressionAttributeValues: { ':registration': registrationId },
          },
        },
      ];
    }
    const item = await stored(source.client, source.tableName, key);
    const before = ownershipSchema.optional().parse(item);
    const wasOwn = before?.registration_id === registrationId && before.freed_at === undefined;
    return item !== undefined && wasOwn ? [putMissing(tableName, item)] : undefined;
  };

  const decideUser = async (restored: Item, live: Item | undefined): Promise<Restoring> => {
    const user = userSchema.parse(live ?? restored);
    const { registration_id: registrationId } = userSchema.parse(restored);
    if (user.registration_id !== registrationId) return keep;
    const [ended, registered] = await Promise.all([
      stored(client, tableName, endedKey(registrationId)),
      stored(client, usersTable, { user_sub: user.user_sub }),
    ]);
    if (ended !== undefined || registered?.registration_id !== registrationId || registered.is_removed) {
      return live === undefined ? leave : keep;
    }
    const links = await Promise.all(
      user.wallets.map(async (wallet) => ({
        wallet,
        writes: await link(wallet.address, { registrationId, isListed: live !== undefined }),
      })),
    );
    const linked = links.filter(({ writes }) => writes !== undefined);
    const own = linked.flatMap(({ writes }) => writes ?? []);
    const isRegistered = [
      hasNotEnded(tableName, registrationId),
      isStillRegistered(usersTable, { user_sub: user.user_sub, registration_id: registrationId }),
    ] as const;
    if (live === undefined) {
      const item = { ...restored, wallets: linked.map(({ wallet }) => wallet) };
      return write(putMissing(tableName, item), ...own, ...isRegistered);
    }
    // The live list was read before its addresses. If it changes meanwhile, it is read again.
    const isAsRead: RestoringWrite = {
      ConditionCheck: {
        TableName: tableName,
        Key: { pk: live.pk },
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': live.version },
      },
    };
    return own.length === 0 ? keep : write(isAsRead, ...own, ...isRegistered);
  };

  return {
    keys: ['pk'],
    timeToLive: 'expires_at',
    kinds: [
      { name: 'ended registration', matches: startsWith('ENDED#'), decide: ifMissing(tableName) },
      {
        name: 'wallet that was unlinked',
        matches: (item) => startsWith('ADDRESS#')(item) && item.freed_at !== undefined,
        decide: ifMissing(tableName),
      },
      { name: "user's wallets", matches: startsWith('USER#'), pass: 2, decide: decideUser },
      {
        name: 'wallet (with its user)',
        matches: startsWith('ADDRESS#'),
        pass: 2,
        decide: (_, live) => (live === undefined ? leave : keep),
      },
      { name: 'challenge', matches: startsWith('CHALLENGE#'), decide: never },
      { name: 'count of challenges', matches: startsWith('HOUR#'), decide: never },
    ],
  };
};
