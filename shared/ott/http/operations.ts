import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { eventAnswerSchema, streamAnswerSchema } from './answers.ts';
import { eventPathSchema, listQuerySchema } from './requests.ts';

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
  description: `${visibility} A paid stream asks for a login and a purchase, and answers 503 while the entitlement service is down. Streams are handed out while the event is LIVE or VOD, within their window of time; a VIP plays any.`,
  path: eventPathSchema,
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
    'EVENT_NOT_FOUND',
    'STREAM_NOT_AVAILABLE',
    'ENTITLEMENT_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
});
