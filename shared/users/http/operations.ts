import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { userDataChangeSchema, userDataSchema } from './user-data.ts';

const applicationUserSub = z.string().min(1).describe('What this application, and no other, calls the user');

const applicationUserSubSchema = z.object({ application_user_sub: applicationUserSub }).meta({
  id: 'ApplicationUserSub',
  description: 'A user, as one application knows them.',
  examples: [{ application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' }],
});

const userSubsSchema = z
  .object({
    user_subs: z
      .array(z.string().min(1))
      .min(1)
      .max(100)
      .describe('Users, as the identity provider names them'),
  })
  .meta({
    id: 'UserSubs',
    description: 'Users, as the identity provider names them.',
    examples: [{ user_subs: ['ana', 'nobody'] }],
  });

const exchangedUserSubSchema = z
  .object({ user_sub: z.string(), application_user_sub: applicationUserSub.nullable() })
  .meta({
    id: 'ExchangedUserSub',
    description: 'What the application calls a user; null for one who is unknown or none of its own.',
    examples: [{ user_sub: 'ana', application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' }],
  });

const exchangedUserSubsSchema = z.object({ user_subs: z.array(exchangedUserSubSchema) }).meta({
  id: 'ExchangedUserSubs',
  description: 'One for each user who was asked for, in the order asked.',
  examples: [
    {
      user_subs: [
        { user_sub: 'ana', application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' },
        { user_sub: 'nobody', application_user_sub: null },
      ],
    },
  ],
});

const applicationUserSchema = z
  .object({ application_user_sub: applicationUserSub, ...userDataSchema.shape })
  .meta({
    id: 'ApplicationUser',
    description: 'All data of a user, as one application knows them.',
    examples: [
      {
        application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7',
        user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' },
        user_agreements: [],
      },
    ],
  });

const applicationUserSubsSchema = z
  .object({
    application_user_subs: z
      .array(applicationUserSub)
      .min(1)
      .max(100)
      .describe('Users, as this application knows them'),
  })
  .meta({
    id: 'ApplicationUserSubs',
    description: 'Users, as one application knows them.',
    examples: [
      { application_user_subs: ['9f0c2b4e6a514c1e8f0a3f3de1d6a2c7', '00000000000000000000000000000000'] },
    ],
  });

const unreadApplicationUserSchema = z
  .object({
    application_user_sub: applicationUserSub,
    error_fields: z
      .enum(['USER_NOT_FOUND', 'READ_AGAIN'])
      .describe('`READ_AGAIN`: the answer had no room left, so ask for this user again'),
  })
  .meta({
    id: 'UnreadApplicationUser',
    description: 'Why a user’s data is not in the answer.',
    examples: [{ application_user_sub: '00000000000000000000000000000000', error_fields: 'USER_NOT_FOUND' }],
  });

const applicationUserEntrySchema = z.union([applicationUserSchema, unreadApplicationUserSchema]).meta({
  id: 'ApplicationUserEntry',
  description: 'One user of a batch: all data, or why it is not there.',
  examples: [
    {
      application_user_sub: '9f0c2b4e6a514c1e8f0a3f3de1d6a2c7',
      user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' },
      user_agreements: [],
    },
    { application_user_sub: '00000000000000000000000000000000', error_fields: 'USER_NOT_FOUND' },
  ],
});

const etag = 'Another for each change; for `If-Match`';

export const putUserDataOperation = operation({
  operationId: 'putUserData',
  api: 'profile',
  method: 'PUT',
  route: '/user/data',
  tag: 'User data',
  summary: 'Register, or change the data of, the user of the access token',
  description: [
    'Keys of `user_data` are merged into what is stored, each replacing its value as a whole; null removes a key.',
    '`user_agreements`, when given, replace all earlier ones. At most 32 KB are stored.',
    'Every application that may hear of the user is notified, unless nothing changed.',
    'A stage may keep keys for its operator: a change that names one is 403 `FIELD_NOT_WRITABLE`, and changes nothing.',
    '`__proto__`, `constructor` and `prototype` are no keys, however deep.',
    'With `If-Match` it changes only what has one of these entity tags; `If-None-Match: *` only registers.',
  ].join(' '),
  security: 'access-token',
  cors: true,
  requestHeaders: {
    'If-Match': { schema: z.string().optional(), description: 'Entity tags that the data may have, or `*`' },
    'If-None-Match': { schema: z.literal('*').optional(), description: 'Register, but change nothing' },
  },
  body: userDataChangeSchema,
  success: {
    status: 200,
    description: 'All data after the change',
    body: userDataSchema,
    headers: { ETag: etag },
  },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FIELD_NOT_WRITABLE',
    'CONFLICT',
    'PRECONDITION_FAILED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'SERVICE_UNAVAILABLE',
  ],
});

export const getUserDataOperation = operation({
  operationId: 'getUserData',
  api: 'profile',
  method: 'GET',
  route: '/user/data',
  tag: 'User data',
  summary: 'Read the data of the user of the access token',
  description: 'All that is stored of them.',
  security: 'access-token',
  cors: true,
  success: {
    status: 200,
    description: 'All data of the user',
    body: userDataSchema,
    headers: { ETag: etag },
  },
  errors: ['UNAUTHORIZED', 'USER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

const reporter = {
  api: 'profile',
  route: '/user/reporter/application-user-sub',
  tag: 'User data',
  summary: 'Learn what the application calls the user of the access token',
  description: 'The application is the one whose client the token was issued to.',
  security: 'access-token',
  cors: true,
  success: {
    status: 200,
    description: 'The identifier',
    body: applicationUserSubSchema,
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'USER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
} as const;

export const getApplicationUserSubOperation = operation({
  ...reporter,
  operationId: 'getApplicationUserSub',
  method: 'GET',
});

/** The same by POST, for clients that must not have the answer of a GET cached. */
export const postApplicationUserSubOperation = operation({
  ...reporter,
  operationId: 'postApplicationUserSub',
  method: 'POST',
});

export const exchangeUserSubsOperation = operation({
  operationId: 'exchangeUserSubs',
  api: 'b2b',
  method: 'POST',
  route: '/vendor/user-subs/get',
  tag: 'User data',
  summary: 'Learn what the application calls each of several users',
  description: 'Up to 100 at once.',
  security: 'api-key',
  errorStyle: 'bare',
  body: userSubsSchema,
  success: {
    status: 200,
    description: 'In the order asked; null for a user who is unknown or none of the application’s',
    body: exchangedUserSubsSchema,
  },
  errors: ['BAD_REQUEST'],
});

export const readUserDataOperation = operation({
  operationId: 'readUserData',
  api: 'b2b',
  method: 'POST',
  route: '/user-data/read',
  tag: 'User data',
  summary: 'Read the data of a user',
  description: 'Never older than the change that a notification told of.',
  security: 'api-key',
  errorStyle: 'bare',
  body: applicationUserSubSchema,
  success: {
    status: 200,
    description: 'All data of the user',
    body: applicationUserSchema,
  },
  errors: ['BAD_REQUEST', 'USER_NOT_FOUND'],
});

export const readUserDataBatchOperation = operation({
  operationId: 'readUserDataBatch',
  api: 'b2b',
  method: 'POST',
  route: '/user-data/read/batch',
  tag: 'User data',
  summary: 'Read the data of several users',
  description: [
    'Up to 100 at once, each as a single read answers it; it counts as one call.',
    'Never older than the changes that notifications told of.',
  ].join(' '),
  security: 'api-key',
  errorStyle: 'bare',
  body: applicationUserSubsSchema,
  success: {
    status: 200,
    description: 'One for each identifier, in the order asked: all data of the user, or why it is not there',
    body: z.array(applicationUserEntrySchema),
  },
  errors: ['BAD_REQUEST', 'SERVICE_UNAVAILABLE'],
});
