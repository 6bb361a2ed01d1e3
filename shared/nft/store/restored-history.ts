import type { Address } from '../../chain/hex.ts';
import type { Table } from '../../platform/store/client.ts';
import {
  keep,
  putMissing,
  type RestorableTable,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';
import { dynamoDbApplicationUserSubs } from '../../users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../users/store/users.ts';
import { registeredOf } from '../history/registered.ts';
import { applicationUserSubOf } from '../reservations/stand-in.ts';
import { naming } from './history-lines.ts';

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
