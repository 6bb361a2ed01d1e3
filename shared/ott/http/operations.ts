import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { eventAnswerSchema, streamAnswerSchema } from './answers.ts';
import { endStreamSchema, eventPathSchema, listQuerySchema, streamQuerySchema } from './requests.ts';

const shared = {
  api: 'base',
  method: 'GET',
  tag: 'OTT events',
  security: 'optional-access-token',
  cors: true,
  requestHeaders: {
    'x-client-id': {
      schema: z.string().max(256).optional(),
      description:
        'The client whose rules and countries count. With an access token it is the token’s, and may be left out.',
    },
  },
  // Answers differ by viewer, client and country, and no header could tell a cache the country.
  responseHeaders: { 'cache-control': 'private, no-store' },
} as const;

const visibility =
  'What the viewer, the rules of the client and the country of the request do not show is as if it were not there.';

export const listEventsOperation = operation({
  ...shared,
  operationId: 'listEvents',
  route: '/api/v3/ott/events',
  documentedRoute: '/api/v3/ott/events/',
  summary: 'List events, newest start first',
  description: `${visibility} A page may hold fewer than \`limit\` events and still have a next one.`,
  query: listQuerySchema,
  success: {
    status: 200,
    description: 'A page of events',
    body: z.array(eventAnswerSchema),
    headers: { Link: 'The next page, with `rel="next"`; absent on the last (RFC 8288)' },
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
});

export const getEventOperation = operation({
  ...shared,
  operationId: 'getEvent',
  route: '/api/v3/ott/events/{event_id}',
  summary: 'Get the basic information of one event',
  description: visibility,
  path: eventPathSchema,
  success: { status: 200, description: 'The event', body: eventAnswerSchema },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'EVENT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getStreamOperation = operation({
  ...shared,
  operationId: 'getStream',
  route: '/api/v3/ott/events/{event_id}/stream',
  summary: 'Get what is needed to play an event',
  description: `${visibility} A paid stream asks for a login and a purchase, and answers 503 while the entitlement service is down. Streams are handed out while the event is LIVE or VOD, within their window of time; a VIP plays any. Where the application limits how many paid streams a viewer plays at once, the call with a session begins and renews it.`,
  path: eventPathSchema,
  query: streamQuerySchema,
  success: {
    status: 200,
    description: 'The stream',
    body: streamAnswerSchema,
    headers: { 'Set-Cookie': 'What opens the stream, where the stage signs it by cookies' },
  },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'LOGIN_REQUIRED',
    'PURCHASE_REQUIRED',
    'ENTITLEMENT_DENIED',
    'SESSION_REQUIRED',
    'TOO_MANY_STREAMS',
    'SESSION_ENDED',
    'TOO_MANY_SESSION_CHANGES',
    'EVENT_NOT_FOUND',
    'STREAM_NOT_AVAILABLE',
    'ENTITLEMENT_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
});

export const endStreamOperation = operation({
  ...shared,
  operationId: 'endStream',
  method: 'POST',
  route: '/api/v3/ott/events/{event_id}/stream/end',
  summary: 'End a session before its lease does',
  description:
    'For a page that is left: another device can play at once. Send it with `fetch` and `keepalive`; a beacon carries no login. A session that has no lease is answered alike. At most three sessions of a viewer end early within ten minutes.',
  security: 'access-token',
  path: eventPathSchema,
  body: endStreamSchema,
  success: { status: 204, description: 'The session has no lease any more' },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TOO_MANY_SESSION_CHANGES',
    'SERVICE_UNAVAILABLE',
  ],
});
