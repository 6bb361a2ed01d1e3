import * as z from 'zod';
import { inParallel } from '../../platform/in-parallel.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { cancellationReasons, queryPages, type Table } from '../../platform/store/client.ts';
import {
  type ApplicationUserSub,
  newApplicationUserSub,
  type Registration,
} from '../application-user-sub.ts';
import type { ApplicationUserSubs } from '../ports/application-user-subs.ts';

const registrationKey = (registrationId: string) => `REGISTRATION#${registrationId}`;
const subKey = (applicationUserSub: string) => `SUB#${applicationUserSub}`;
/** The item that says that no identifier is created for a registration any more. It contains nothing of the user. */
const noMoreSubsKey = (registrationId: string) => ({ pk: `ENDED#${registrationId}`, sk: 'ENDED' });
const applicationKey = (applicationId: string) => `APPLICATION#${applicationId}`;

const isUnused = 'attribute_not_exists(pk)';
const exists = 'attribute_exists(pk)';
const hasNotEnded = 'attribute_not_exists(pk)';

const attempts = 5;

/** A transaction has at most 100 items. One says that the registration has not ended; each identifier has two. */
const applicationsAtMost = 49;

const forwardSchema = z
  .object({
    pk: z.string(),
    application_id: z.string(),
    application_user_sub: z.string(),
    is_linked: z.boolean(),
  })
  .transform(
    (item): ApplicationUserSub => ({
      applicationId: item.application_id,
      applicationUserSub: item.application_user_sub,
      isLinked: item.is_linked,
    }),
  );

const reverseSchema = z
  .object({
    application_id: z.string(),
    application_user_sub: z.string(),
    user_sub: z.string(),
    registration_id: z.string(),
  })
  .transform((item) => ({
    applicationId: item.application_id,
    applicationUserSub: item.application_user_sub,
    registration: { userSub: item.user_sub, registrationId: item.registration_id } satisfies Registration,
  }));

/** The two items of an identifier. */
const identifierItems = (
  { registrationId, userSub }: Registration,
  { applicationId, applicationUserSub, isLinked }: ApplicationUserSub,
) => {
  const identifier = {
    sk: applicationKey(applicationId),
    application_id: applicationId,
    application_user_sub: applicationUserSub,
  };
  return [
    { ...identifier, pk: registrationKey(registrationId), is_linked: isLinked },
    { ...identifier, pk: subKey(applicationUserSub), user_sub: userSub, registration_id: registrationId },
  ];
};

/** The writes of a new identifier. */
export const putIdentifier = (
  TableName: string,
  registration: Registration,
  identifier: ApplicationUserSub,
) =>
  identifierItems(registration, identifier).map((Item) => ({
    Put: { TableName, Item, ConditionExpression: isUnused },
  }));

/**
 * Each application user sub is stored in two items. One is found by the registration, to read all application user subs
 * of a user. The other is found by the application user sub, for requests from applications. One transaction writes
 * both items, so that neither exists without the other.
 */
export const dynamoDbApplicationUserSubs = ({
  client,
  tableName,
  newSub = newApplicationUserSub,
}: Table & {
  readonly newSub?: () => string;
}): ApplicationUserSubs => {
  const find: ApplicationUserSubs['find'] = async ({ registrationId, applicationId }) => {
    const { Item } = await client.get({
      TableName: tableName,
      Key: { pk: registrationKey(registrationId), sk: applicationKey(applicationId) },
      ConsistentRead: true,
    });
    return Item === undefined ? undefined : forwardSchema.parse(Item);
  };

  /** @returns `undefined` if the registration has ended. */
  const make = async (
    registration: Registration,
    { applicationIds, link = false }: { readonly applicationIds: readonly string[]; readonly link?: boolean },
  ): Promise<ApplicationUserSub[] | undefined> => {
    const made = applicationIds.map((applicationId) => ({
      applicationId,
      applicationUserSub: newSub(),
      isLinked: link,
    }));
    const ending = {
      TableName: tableName,
      Key: noMoreSubsKey(registration.registrationId),
      ConditionExpression: hasNotEnded,
    };
    const puts = made.flatMap((one) => putIdentifier(tableName, registration, one));
    try {
      await client.transactWrite({ TransactItems: [{ ConditionCheck: ending }, ...puts] });
    } catch (error) {
      if (cancellationReasons(error)?.[0]?.Code === 'ConditionalCheckFailed') return undefined;
      throw error;
    }
    return made;
  };

  /**
   * Calls `work` again if its transaction was cancelled: because another request has created an identifier in the
   * meantime, which the next call reads, or because another transaction was creating one for the same registration, or
   * because DynamoDB throttles.
   */
  const untilMade = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (cancellationReasons(error) === undefined || attempt === attempts) throw error;
        await client.pause(attempt);
      }
    }
  };

  const link = async (registrationId: string, applicationId: string): Promise<void> => {
    await client.update({
      TableName: tableName,
      Key: { pk: registrationKey(registrationId), sk: applicationKey(applicationId) },
      UpdateExpression: 'SET is_linked = :yes',
      ConditionExpression: exists,
      ExpressionAttributeValues: { ':yes': true },
    });
  };

  const itemsOf = async (registrationId: string) => {
    const pages = queryPages(client, {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': registrationKey(registrationId) },
    });
    const subs: ApplicationUserSub[] = [];
    for await (const { Items = [] } of pages) subs.push(...Items.map((item) => forwardSchema.parse(item)));
    return subs;
  };

  return {
    find,

    findMany: async ({ registrationIds, applicationId }) => {
      const items = await batchGet({
        client,
        tableName,
        keys: registrationIds.map((id) => ({ pk: registrationKey(id), sk: applicationKey(applicationId) })),
        attributes: ['pk', 'application_id', 'application_user_sub', 'is_linked'],
      });
      const byKey = new Map(items.map((item) => [item.pk, forwardSchema.parse(item)]));
      return new Map(
        registrationIds.flatMap((id) => {
          const sub = byKey.get(registrationKey(id));
          return sub === undefined ? [] : [[id, sub]];
        }),
      );
    },

    ofRegistration: async (registrationId) =>
      new Map((await itemsOf(registrationId)).map((sub) => [sub.applicationId, sub])),

    ensure: ({ applicationId, link: isToLink = false, ...registration }) =>
      untilMade(async () => {
        const { registrationId } = registration;
        const existing = await find({ registrationId, applicationId });
        if (existing === undefined) {
          const made = await make(registration, { applicationIds: [applicationId], link: isToLink });
          return made?.[0];
        }
        if (!isToLink || existing.isLinked) return existing;
        await link(registrationId, applicationId);
        return { ...existing, isLinked: true };
      }),

    ensureMany: async ({ applicationIds, ...registration }) => {
      const all = new Map<string, ApplicationUserSub>();
      for (let from = 0; from < applicationIds.length; from += applicationsAtMost) {
        const wanted = applicationIds.slice(from, from + applicationsAtMost);
        await untilMade(async () => {
          for (const sub of await itemsOf(registration.registrationId)) all.set(sub.applicationId, sub);
          const missing = wanted.filter((id) => !all.has(id));
          if (missing.length === 0) return;
          const made = await make(registration, { applicationIds: missing });
          for (const sub of made ?? []) all.set(sub.applicationId, sub);
        });
      }
      return new Map(
        applicationIds.flatMap((id) => {
          const sub = all.get(id);
          return sub === undefined ? [] : [[id, sub]];
        }),
      );
    },

    registrationOf: async ({ applicationId, applicationUserSub }) => {
      const { Item } = await client.get({
        TableName: tableName,
        Key: { pk: subKey(applicationUserSub), sk: applicationKey(applicationId) },
        ConsistentRead: true,
      });
      return Item === undefined ? undefined : reverseSchema.parse(Item).registration;
    },

    registrationsOf: async ({ applicationId, applicationUserSubs }) => {
      const items = await batchGet({
        client,
        tableName,
        keys: applicationUserSubs.map((sub) => ({ pk: subKey(sub), sk: applicationKey(applicationId) })),
        attributes: Object.keys(reverseSchema.in.shape),
      });
      const found = items.map((item) => reverseSchema.parse(item));
      return new Map(found.map(({ applicationUserSub, registration }) => [applicationUserSub, registration]));
    },

    applicationOf: async (applicationUserSub) => {
      const { Items = [] } = await client.query({
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': subKey(applicationUserSub) },
      });
      return Items[0] === undefined ? undefined : reverseSchema.parse(Items[0]).applicationId;
    },

    endAll: async ({ registrationId, endsAt }) => {
      const expires = Math.floor(endsAt / 1_000);
      // From here on none is created, so the items that are read next are all of them.
      await client.put({
        TableName: tableName,
        Item: { ...noMoreSubsKey(registrationId), expires_at: expires },
      });
      const keys = (await itemsOf(registrationId)).flatMap(({ applicationId, applicationUserSub }) => [
        { pk: subKey(applicationUserSub), sk: applicationKey(applicationId) },
        { pk: registrationKey(registrationId), sk: applicationKey(applicationId) },
      ]);
      const end = async (Key: (typeof keys)[number]): Promise<void> => {
        await client.update({
          TableName: tableName,
          Key,
          UpdateExpression: 'SET expires_at = :end',
          ExpressionAttributeValues: { ':end': expires },
        });
      };
      await inParallel(keys, { atOnce: 10, run: end });
    },
  };
};
