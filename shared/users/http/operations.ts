import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
import {
  applicationUserEntrySchema,
  applicationUserSchema,
  exchangedUserSubsSchema,
  userDataSchema,
} from './answers.ts';
import {
  applicationUserSubSchema,
  applicationUserSubsSchema,
  userDataChangeSchema,
  userSubsSchema,
} from './requests.ts';

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
