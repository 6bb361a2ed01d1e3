import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
import { userDataChangeSchema, userDataSchema } from './user-data.ts';

const applicationUserSub = z
  .string()
  .min(1)
  .describe(
    'This application’s identifier for the user. Each application has a different identifier for the same user',
  );

const applicationUserSubSchema = z.object({ application_user_sub: applicationUserSub }).meta({
  id: 'ApplicationUserSub',
  description: 'One application’s identifier for a user.',
  examples: [{ application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' }],
});

const userSubsSchema = z
  .object({
    user_subs: z
      .array(z.string().min(1))
      .min(1)
      .max(100)
      .describe('The identity provider’s identifiers of the users (`sub`)'),
  })
  .meta({
    id: 'UserSubs',
    description: 'Users, by the identity provider’s identifiers (`sub`).',
    examples: [{ user_subs: ['ana', 'nobody'] }],
  });

const exchangedUserSubSchema = z
  .object({ user_sub: z.string(), application_user_sub: applicationUserSub.nullable() })
  .meta({
    id: 'ExchangedUserSub',
    description:
      'The application’s identifier for a user; null if the user is unknown or not in the application’s audience.',
    examples: [{ user_sub: 'ana', application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' }],
  });

const exchangedUserSubsSchema = z.object({ user_subs: z.array(exchangedUserSubSchema) }).meta({
  id: 'ExchangedUserSubs',
  description: 'One entry for each requested user, in the order of the request.',
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
    description: 'All data of a user, with the application’s identifier for the user.',
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
      .describe('This application’s identifiers for the users'),
  })
  .meta({
    id: 'ApplicationUserSubs',
    description: 'One application’s identifiers for users.',
    examples: [
      { application_user_subs: ['9f0c2b4e6a514c1e8f0a3f3de1d6a2c7', '00000000000000000000000000000000'] },
    ],
  });

const unreadApplicationUserSchema = z
  .object({
    application_user_sub: applicationUserSub,
    error_fields: z
      .enum(['USER_NOT_FOUND', 'READ_AGAIN'])
      .describe(
        '`READ_AGAIN`: the response was full, or the user could not be read, so request this user again',
      ),
  })
  .meta({
    id: 'UnreadApplicationUser',
    description: 'The reason why a user’s data is not in the response.',
    examples: [{ application_user_sub: '00000000000000000000000000000000', error_fields: 'USER_NOT_FOUND' }],
  });

const applicationUserEntrySchema = z.union([applicationUserSchema, unreadApplicationUserSchema]).meta({
  id: 'ApplicationUserEntry',
  description: 'One user of a batch: all data, or the reason why it is missing.',
  examples: [
    {
      application_user_sub: '9f0c2b4e6a514c1e8f0a3f3de1d6a2c7',
      user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' },
      user_agreements: [],
    },
    { application_user_sub: '00000000000000000000000000000000', error_fields: 'USER_NOT_FOUND' },
  ],
});

const etag = 'The version of the data, which changes with each change. Use it in `If-Match`';

export const putUserDataOperation = operation({
  operationId: 'putUserData',
  api: 'profile',
  method: 'PUT',
  route: '/user/data',
  tag: 'User data',
  summary: 'Register the user of the access token, or change the user’s data',
  description: [
    'Keys of `user_data` are merged into the stored data. A value replaces the key’s previous value as a whole; null removes the key.',
    '`user_agreements`, if given, replace all earlier agreements. At most 32 KB are stored for a user.',
    'Every application with the user in its audience is notified, unless nothing changed.',
    'A stage may have read-only keys that only its operator writes. A change that names such a key is refused as a whole with 403 `FIELD_NOT_WRITABLE`.',
    '`__proto__`, `constructor` and `prototype` are refused as keys at any depth.',
    'A user can change their data only a certain number of times in an hour, 60 if the stage sets nothing else. A change beyond it is refused with 429 `TOO_MANY_CHANGES` and changes nothing; `Retry-After` says when the next one is allowed.',
    'With `If-Match` the data is changed only if its current entity tag is one of the given tags. With `If-None-Match: *` the call only registers a new user.',
  ].join(' '),
  security: 'access-token',
  cors: true,
  requestHeaders: {
    'If-Match': {
      schema: z.string().optional(),
      description:
        'A list of entity tags, one of which must be the data’s current tag; or `*` for any existing data',
    },
    'If-None-Match': {
      schema: z.enum(['*']).optional(),
      description: 'Only register a new user; do not change an existing user',
    },
  },
  body: userDataChangeSchema,
  asSent: ['user_data', 'user_agreements'],
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
    'TOO_MANY_CHANGES',
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
  description: 'Returns everything that is stored for the user.',
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
  summary: 'Get the application’s identifier for the user of the access token',
  description: 'The application is the owner of the client that the token was issued to.',
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

/** The same operation as `getApplicationUserSub`, but as a POST, so that clients do not cache the response. */
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
  summary: 'Get the application’s identifiers for several users',
  description: 'At most 100 users in one call.',
  security: 'api-key',
  errorStyle: 'bare',
  body: userSubsSchema,
  asSent: 'all',
  success: {
    status: 200,
    description:
      'One identifier for each user, in the order of the request; null for a user who is unknown or not in the application’s audience',
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
  description: 'If you call this after a notification, the data contains the notified change or a later one.',
  security: 'api-key',
  errorStyle: 'bare',
  body: applicationUserSubSchema,
  asSent: 'all',
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
    'At most 100 users; the batch counts as one call. The entry of a user is the same as the response of a single read.',
    'If you call this after a notification, the data contains the change that it announced, and possibly later ones.',
  ].join(' '),
  security: 'api-key',
  errorStyle: 'bare',
  body: applicationUserSubsSchema,
  asSent: 'all',
  success: {
    status: 200,
    description:
      'One entry for each identifier, in the order of the request: all data of the user, or the reason why it is missing',
    body: z.array(applicationUserEntrySchema),
  },
  errors: ['BAD_REQUEST', 'SERVICE_UNAVAILABLE'],
});
