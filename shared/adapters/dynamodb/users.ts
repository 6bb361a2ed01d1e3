import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { dateTimeSchema } from '../../date-time.ts';
import type { UserChange } from '../../users/change-record.ts';
import { UserChangedMeanwhileError } from '../../users/errors.ts';
import type { Users } from '../../users/ports/users.ts';
import type { User } from '../../users/user.ts';
import { isUserData, type UserData } from '../../users/user-data.ts';
import { batchGet } from './batch-get.ts';

const jsonText = z.string().transform((text): unknown => JSON.parse(text));

/**
 * Data and agreements are kept as JSON text: a map would lose what JSON can say and DynamoDB cannot (numbers
 * beyond 38 digits, lone surrogates, more than 32 levels with what is around them).
 */
const itemSchema = z
  .object({
    user_sub: z.string(),
    registration_id: z.string(),
    version: z.int(),
    changed_at: dateTimeSchema,
    user_data: jsonText.pipe(z.custom<UserData>(isUserData)),
    user_agreements: jsonText.pipe(z.array(z.unknown())),
  })
  .transform(
    (item): User => ({
      userSub: item.user_sub,
      registrationId: item.registration_id,
      version: item.version,
      changedAt: item.changed_at,
      data: item.user_data,
      agreements: item.user_agreements,
    }),
  );

const registrationSchema = z.object({ user_sub: z.string(), registration_id: z.string() });

const changeSchema = z
  .object({ user_sub: z.string(), registration_id: z.string(), changed_at: dateTimeSchema })
  .transform(
    (item): UserChange => ({
      userSub: item.user_sub,
      registrationId: item.registration_id,
      changedAt: item.changed_at,
    }),
  );

const toItem = (user: User) => ({
  user_sub: user.userSub,
  registration_id: user.registrationId,
  version: user.version,
  changed_at: user.changedAt,
  user_data: JSON.stringify(user.data),
  user_agreements: JSON.stringify(user.agreements),
});

/** Of the one key that a user has ("Quotas in DynamoDB", partition key length). */
const maximumKeyBytes = 2_048;

/** DynamoDB refuses a whole call for one key that is empty, too long or not Unicode; no user has such a one. */
const isPossible = (userSub: string): boolean =>
  userSub !== '' && userSub.isWellFormed() && Buffer.byteLength(userSub) <= maximumKeyBytes;

const isNew = 'attribute_not_exists(user_sub)';
/** A user that was deleted and registered again meanwhile has the same numbers, but another registration. */
const isTheVersionRead = 'registration_id = :registration AND version = :read';

export const dynamoDbUsers = ({
  client,
  tableName,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}): Users => ({
  find: async (userSub) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: tableName, Key: { user_sub: userSub }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : itemSchema.parse(Item);
  },

  registrationsOf: async (userSubs) => {
    const items = await batchGet({
      send: (input) => client.send(new BatchGetCommand(input)),
      tableName,
      keys: userSubs.filter(isPossible).map((userSub) => ({ user_sub: userSub })),
      attributes: ['user_sub', 'registration_id'],
    });
    const registrations = items.map((item) => registrationSchema.parse(item));
    return new Map(registrations.map((item) => [item.user_sub, item.registration_id]));
  },

  save: async (user) => {
    const condition =
      user.version === 1
        ? { ConditionExpression: isNew }
        : {
            ConditionExpression: isTheVersionRead,
            ExpressionAttributeValues: { ':registration': user.registrationId, ':read': user.version - 1 },
          };
    try {
      await client.send(new PutCommand({ TableName: tableName, Item: toItem(user), ...condition }));
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      throw new UserChangedMeanwhileError({ userSub: user.userSub, cause });
    }
  },

  changedSince: async function* (dateTime) {
    const pages = paginateScan(
      { client },
      {
        TableName: tableName,
        ConsistentRead: true,
        ProjectionExpression: 'user_sub, registration_id, changed_at',
        FilterExpression: 'changed_at >= :since',
        ExpressionAttributeValues: { ':since': dateTime },
      },
    );
    for await (const { Items = [] } of pages) yield* Items.map((item) => changeSchema.parse(item));
  },

  remove: async (userSub) => {
    await client.send(new DeleteCommand({ TableName: tableName, Key: { user_sub: userSub } }));
  },
});
