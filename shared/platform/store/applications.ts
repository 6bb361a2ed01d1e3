import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type Application, applicationSchema } from '../applications/application.ts';
import { ApplicationConflictError } from '../applications/errors.ts';
import type {
  ApplicationChanges,
  ApplicationRegistry,
  ApplicationSigners,
} from '../applications/ports/applications.ts';
import { isRefusal } from '../aws/service-error.ts';
import { type LaterPart, laterPartOf, tellLaterData } from '../later-data.ts';
import { scanPages, type Table } from './client.ts';

type Item = Readonly<Record<string, unknown>>;

const known = applicationSchema.shape;
const nested = { limits: known.limits.shape, wallets: known.wallets.unwrap().shape } as const;

/** A later release may have stored another audience or another kind, or more than this one lets anybody write. */
const storedSchema = applicationSchema.extend({
  name: z.string(),
  apiKeyIds: z.array(z.string()),
  clientIds: z.array(z.string()),
  audience: known.audience.or(z.unknown().transform(() => 'later' as const)),
  kind: known.kind.or(z.unknown().transform(() => 'later' as const)),
});

/** What a later release has stored in an object of the item. */
const laterIn = (item: Item, name: keyof typeof nested): LaterPart =>
  laterPartOf(Object(item[name]), nested[name]);

const applicationOf = ({ pk, ...item }: Item): Application => {
  const application = storedSchema.parse(item);
  const unknown = [
    ...(['audience', 'kind'] as const).filter((name) => application[name] === 'later'),
    ...Object.keys(laterPartOf(item, known)),
    ...(['limits', 'wallets'] as const).flatMap((name) =>
      Object.keys(laterIn(item, name)).map((field) => `${name}.${field}`),
    ),
  ];
  if (unknown.length > 0) tellLaterData({ kind: 'application', id: application.id, unknown });
  return application;
};

/** The item of an application after a change. What a later release has stored in the item before stays. */
const itemAfter = (before: Item, { audience, kind, limits, wallets, ...fields }: Application): Item => ({
  ...laterPartOf(before, known),
  ...fields,
  audience: audience === 'later' ? before.audience : audience,
  kind: kind === 'later' ? before.kind : kind,
  limits: { ...laterIn(before, 'limits'), ...limits },
  wallets: wallets && { ...laterIn(before, 'wallets'), ...wallets },
});

const applicationKey = (id: string) => ({ pk: `APPLICATION#${id}` });
const apiKeyKey = (apiKeyId: string) => ({ pk: `API_KEY#${apiKeyId}` });
const clientKey = (clientId: string) => ({ pk: `CLIENT#${clientId}` });
/** The item that says that an application had this id, and at which version it was removed. */
const removedKey = (id: string) => ({ pk: `REMOVED#${id}` });
const registryKey = { pk: 'REGISTRY' };

const pointerKeys = ({ apiKeyIds, clientIds }: Pick<Application, 'apiKeyIds' | 'clientIds'>) => [
  ...apiKeyIds.map(apiKeyKey),
  ...clientIds.map(clientKey),
];

const isUnused = 'attribute_not_exists(pk)';
const isUnusedOrOurs = 'attribute_not_exists(pk) OR application_id = :id';
const isTheVersionRead = 'version = :version';
/** Release 0.1 stores no version when it removes an application. */
const isRemovedWithoutVersion = 'attribute_exists(pk) AND attribute_not_exists(version)';
const removedSchema = z.object({ version: z.int().optional() });
const hasNoSigner = 'attribute_exists(pk) AND attribute_not_exists(signer)';
const hasThisSigner = 'signer = :from';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Stores each application. For each of its API keys and OIDC clients, also stores an item that points to the
 * application. These items make it possible to find an application by its key or client with consistent reads. They
 * also ensure that a key or client belongs to only one application.
 */
export const dynamoDbApplications = ({
  client,
  tableName,
}: Table): ApplicationRegistry & ApplicationChanges & ApplicationSigners => {
  const readItem = async (key: { readonly pk: string }) => {
    const { Item } = await client.get({ TableName: tableName, Key: key, ConsistentRead: true });
    return Item;
  };

  const find = async (id: string): Promise<Application | undefined> => {
    const item = await readItem(applicationKey(id));
    return item === undefined ? undefined : applicationOf(item);
  };

  const countChange: Write = {
    Update: {
      TableName: tableName,
      Key: registryKey,
      UpdateExpression: 'ADD changes :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };

  const findBy = async (key: { readonly pk: string }): Promise<Application | undefined> => {
    const pointer = await readItem(key);
    return pointer === undefined ? undefined : find(String(pointer.application_id));
  };

  const write = async (id: string, writes: Write[]): Promise<void> => {
    try {
      await client.transactWrite({ TransactItems: [...writes, countChange] });
    } catch (cause) {
      if (isRefusal(cause, 'TransactionCanceledException')) throw new ApplicationConflictError({ id, cause });
      throw cause;
    }
  };

  const putPointers = (application: Application): Write[] =>
    pointerKeys(application).map((key) => ({
      Put: {
        TableName: tableName,
        Item: { ...key, application_id: application.id },
        ConditionExpression: isUnusedOrOurs,
        ExpressionAttributeValues: { ':id': application.id },
      },
    }));

  const deletePointers = (keys: readonly { readonly pk: string }[], id: string): Write[] =>
    keys.map((key) => ({
      Delete: {
        TableName: tableName,
        Key: key,
        ConditionExpression: isUnusedOrOurs,
        ExpressionAttributeValues: { ':id': id },
      },
    }));

  return {
    find,
    findByApiKeyId: (apiKeyId) => findBy(apiKeyKey(apiKeyId)),
    findByClientId: (clientId) => findBy(clientKey(clientId)),

    list: async () => {
      const applications: Application[] = [];
      const pages = scanPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(pk, :prefix)',
        ExpressionAttributeValues: { ':prefix': 'APPLICATION#' },
      });
      for await (const { Items = [] } of pages) {
        applications.push(...Items.map(applicationOf));
      }
      return applications.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    changes: async () => Number((await readItem(registryKey))?.changes ?? 0),

    wasRemoved: async (id) => (await readItem(removedKey(id))) !== undefined,

    // An application that is created again counts its versions on. So neither a late removal, nor a late write of its
    // earlier life, nor a late creation after another removal finds what it has read.
    create: async (fields, { again = false } = {}) => {
      const { id } = applicationSchema.parse({ ...fields, version: 1 });
      const removal = again ? removedSchema.optional().parse(await readItem(removedKey(id))) : undefined;
      const application = applicationSchema.parse({ ...fields, version: (removal?.version ?? 0) + 1 });
      const removed = { TableName: tableName, Key: removedKey(id) };
      await write(id, [
        removal === undefined
          ? { ConditionCheck: { ...removed, ConditionExpression: isUnused } }
          : {
              Delete: {
                ...removed,
                ...(removal.version === undefined
                  ? { ConditionExpression: isRemovedWithoutVersion }
                  : {
                      ConditionExpression: isTheVersionRead,
                      ExpressionAttributeValues: { ':version': removal.version },
                    }),
              },
            },
        {
          Put: {
            TableName: tableName,
            Item: { ...applicationKey(application.id), ...application },
            ConditionExpression: isUnused,
          },
        },
        ...putPointers(application),
      ]);
      return application;
    },

    save: async (read) => {
      const item = await readItem(applicationKey(read.id));
      if (item === undefined) throw new ApplicationConflictError({ id: read.id });
      const after: Application = storedSchema.parse({ ...read, version: read.version + 1 });
      const kept = new Set(pointerKeys(after).map(({ pk }) => pk));
      const dropped = pointerKeys(applicationOf(item)).filter(({ pk }) => !kept.has(pk));
      await write(read.id, [
        {
          Put: {
            TableName: tableName,
            Item: itemAfter(item, after),
            ConditionExpression: isTheVersionRead,
            ExpressionAttributeValues: { ':version': read.version },
          },
        },
        ...putPointers(after),
        ...deletePointers(dropped, read.id),
      ]);
      return after;
    },

    // This write raises the version. So an operator's change that is based on the earlier version fails, and does not
    // undo the new signer.
    assignSigner: async ({ applicationId: id, from, to }) => {
      try {
        await client.update({
          TableName: tableName,
          Key: applicationKey(id),
          UpdateExpression: 'SET signer = :to ADD version :one',
          ConditionExpression: from === undefined ? hasNoSigner : hasThisSigner,
          ExpressionAttributeValues: {
            ':to': to,
            ':one': 1,
            ...(from !== undefined && { ':from': from }),
          },
        });
        return to;
      } catch (error) {
        if (!isRefusal(error, 'ConditionalCheckFailedException')) throw error;
        const application = await find(id);
        if (application === undefined) throw new ApplicationConflictError({ id, cause: error });
        return application.signer;
      }
    },

    remove: async (id) => {
      const application = await find(id);
      if (application === undefined) return;
      await write(id, [
        {
          Delete: {
            TableName: tableName,
            Key: applicationKey(id),
            ConditionExpression: isTheVersionRead,
            ExpressionAttributeValues: { ':version': application.version },
          },
        },
        ...deletePointers(pointerKeys(application), id),
        { Put: { TableName: tableName, Item: { ...removedKey(id), version: application.version } } },
      ]);
    },
  };
};
