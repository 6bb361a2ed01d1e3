import * as z from 'zod';
import type { Table } from './client.ts';
import {
  ifMissing,
  keep,
  leave,
  putMissing,
  type RestorableTable,
  startsWith,
  write,
} from './restored-items.ts';

const pointerSchema = z.object({ pk: z.string(), application_id: z.string() });
const listsSchema = z.object({ apiKeyIds: z.array(z.string()), clientIds: z.array(z.string()) });

/**
 * An application comes back if it is missing. A pointer comes back only if the live application lists its API key or
 * client: otherwise a key or client that was removed since would be accepted again.
 */
export const restoredApplications = ({ client, tableName }: Table): RestorableTable => {
  const pointer = (name: string, prefix: string, list: keyof z.output<typeof listsSchema>) => ({
    name,
    matches: startsWith(prefix),
    pass: 2 as const,
    decide: async (restored: Readonly<Record<string, unknown>>, live: object | undefined) => {
      if (live !== undefined) return keep;
      const { pk, application_id: id } = pointerSchema.parse(restored);
      const pointed = pk.slice(prefix.length);
      const Key = { pk: `APPLICATION#${id}` };
      const { Item } = await client.get({ TableName: tableName, Key, ConsistentRead: true });
      if (!listsSchema.safeParse(Item).data?.[list].includes(pointed)) return leave;
      return write(putMissing(tableName, restored), {
        ConditionCheck: {
          TableName: tableName,
          Key,
          ConditionExpression: 'contains(#list, :pointed)',
          ExpressionAttributeNames: { '#list': list },
          ExpressionAttributeValues: { ':pointed': pointed },
        },
      });
    },
  });
  return {
    keys: ['pk'],
    kinds: [
      {
        name: 'application',
        matches: startsWith('APPLICATION#'),
        decide: ifMissing(tableName),
      },
      pointer('API key', 'API_KEY#', 'apiKeyIds'),
      pointer('client', 'CLIENT#', 'clientIds'),
      { name: 'removed application', matches: startsWith('REMOVED#'), decide: ifMissing(tableName) },
      { name: 'count of changes', matches: startsWith('REGISTRY'), decide: ifMissing(tableName) },
    ],
    // Functions that cache the list of applications then read it again.
    after: async () => {
      await client.update({
        TableName: tableName,
        Key: { pk: 'REGISTRY' },
        UpdateExpression: 'ADD changes :one',
        ExpressionAttributeValues: { ':one': 1 },
      });
    },
  };
};
