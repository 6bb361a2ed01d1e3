import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
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
        'The client whose rules and geoblocking apply. Not needed with an access token, which names its client.',
    },
  },
  // Responses differ by viewer, client and country, so caches must not store them: `Vary` cannot express the country.
  responseHeaders: { 'cache-control': 'private, no-store' },
} as const;

const visibility =
  'An event that is hidden from the viewer, from the client or in the country of the request is treated as if it did not exist.';

const whileLookupIsOut =
  'If the country of the request cannot be looked up at the moment, and it decides whether the event is hidden, the response is 503.';

export const listEventsOperation = operation({
  ...shared,
  operationId: 'listEvents',
  route: '/api/v3/ott/events',
  documentedRoute: '/api/v3/ott/events/',
  summary: 'List events, latest start first',
  description: `${visibility} A page may have fewer than \`limit\` events without being the last.`,
  query: listQuerySchema,
  success: {
    status: 200,
    description: 'A page of events',
    body: z.array(eventAnswerSchema),
    headers: { Link: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page' },
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
});

export const getEventOperation = operation({
  ...shared,
  operationId: 'getEvent',
  route: '/api/v3/ott/events/{event_id}',
  summary: 'Get the basic information of one event',
  description: `${visibility} ${whileLookupIsOut}`,
  path: eventPathSchema,
  success: { status: 200, description: 'The event', body: eventAnswerSchema },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'EVENT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getStreamOperation = operation({
  ...shared,
  operationId: 'getStream',
  route: '/api/v3/ott/events/{event_id}/stream',
  summary: 'Get what is needed to play an event',
  description: `${visibility} A paid stream requires a login, and a purchase or a ticket. While the entitlement service is unavailable, the call returns 503. A stream can be played while the event is LIVE or VOD and within the stream’s window of time; neither restriction applies to a VIP. Where a viewer’s paid streams are limited, the call begins, renews or moves the viewer’s session. ${whileLookupIsOut}`,
  path: eventPathSchema,
  query: streamQuerySchema,
  success: {
    status: 200,
    description: 'The stream',
    body: streamAnswerSchema,
    headers: {
      'Set-Cookie':
        'The signed cookies that give access to the stream, if the stage signs streams with cookies',
    },
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
  summary: 'End a session early',
  description:
    'Call this when the user leaves the page, so that another device can play immediately. Use `fetch` with `keepalive`, because `navigator.sendBeacon` cannot send the access token. The response is the same if the session has already ended. In any ten minutes, a viewer can end at most three sessions early.',
  security: 'access-token',
  path: eventPathSchema,
  body: endStreamSchema,
  success: { status: 204, description: 'The session has ended' },
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
