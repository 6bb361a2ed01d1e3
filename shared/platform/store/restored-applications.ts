import * as z from 'zod';
import type { Table } from './client.ts';
import {
  type Item,
  ifMissing,
  keep,
  leave,
  putMissing,
  type RestorableTable,
  type Restoring,
  startsWith,
  write,
} from './restored-items.ts';

const pointerSchema = z.object({ pk: z.string(), application_id: z.string() });
const listsSchema = z.object({ apiKeyIds: z.array(z.string()), clientIds: z.array(z.string()) });
const applicationSchema = listsSchema.extend({ id: z.string() });

const prefixes = { apiKeyIds: 'API_KEY#', clientIds: 'CLIENT#' } as const;
type List = keyof typeof prefixes;

/**
 * An application comes back if it is missing, without the API keys and clients that another application has by now:
 * nobody could change or remove an application with somebody else's client. A pointer comes back only if the live
 * application lists its API key or client: otherwise a key or client that was removed since would be accepted again.
 */
export const restoredApplications = ({ client, tableName }: Table): RestorableTable => {
  const decideApplication = async (restored: Item, live: Item | undefined): Promise<Restoring> => {
    if (live !== undefined) return keep;
    const { id, ...lists } = applicationSchema.parse(restored);
    const isFree = async (pk: string): Promise<boolean> => {
      const { Item } = await client.get({ TableName: tableName, Key: { pk }, ConsistentRead: true });
      return Item === undefined || Item.application_id === id;
    };
    const freeIn = async (list: List): Promise<string[]> => {
      const areFree = await Promise.all(lists[list].map((each) => isFree(`${prefixes[list]}${each}`)));
      return lists[list].filter((_, index) => areFree[index]);
    };
    const [apiKeyIds, clientIds] = await Promise.all([freeIn('apiKeyIds'), freeIn('clientIds')]);
    const pointers = [
      ...apiKeyIds.map((each) => `${prefixes.apiKeyIds}${each}`),
      ...clientIds.map((each) => `${prefixes.clientIds}${each}`),
    ];
    return write(
      putMissing(tableName, { ...restored, apiKeyIds, clientIds }),
      ...pointers.map((pk) => ({
        ConditionCheck: {
          TableName: tableName,
          Key: { pk },
          ConditionExpression: 'attribute_not_exists(pk) OR application_id = :id',
          ExpressionAttributeValues: { ':id': id },
        },
      })),
    );
  };

  const pointer = (name: string, list: List) => ({
    name,
    matches: startsWith(prefixes[list]),
    pass: 2 as const,
    decide: async (restored: Item, live: Item | undefined) => {
      if (live !== undefined) return keep;
      const { pk, application_id: id } = pointerSchema.parse(restored);
      const pointed = pk.slice(prefixes[list].length);
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
        decide: decideApplication,
      },
      pointer('API key', 'apiKeyIds'),
      pointer('client', 'clientIds'),
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
