import { createHash } from 'node:crypto';
import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
import type { StoredEvent } from '../ports/catalogue.ts';
import { catalogueEventSchema } from './catalogue-answers.ts';
import {
  catalogueEventRequestSchema,
  listCatalogueQuerySchema,
  statusRequestSchema,
} from './catalogue-requests.ts';
import { eventPathSchema } from './requests.ts';

const shared = { api: 'base', tag: 'Catalogue', security: 'editor-key' } as const;
const list = '/api/v3/ott/catalogue';
const one = { route: `${list}/{event_id}`, path: eventPathSchema } as const;

const ifMatch = (rule: string) => ({
  schema: z.string().optional(),
  description: `The entity tag that was read, so that nobody else’s change is lost; or \`*\` for any existing event. ${rule}`,
});
const etag = 'The version of the event, which changes with each change. Use it in `If-Match`';
const isReplaced = { 'If-Match': ifMatch('Optional') };

const success = { status: 200, body: catalogueEventSchema, headers: { ETag: etag } } as const;
const always = ['FORBIDDEN', 'SERVICE_UNAVAILABLE'] as const;
const ofOne = ['BAD_REQUEST', 'EVENT_NOT_FOUND', ...always] as const;
const ofBodies = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

export const listCatalogueOperation = operation({
  ...shared,
  operationId: 'listCatalogue',
  method: 'GET',
  route: list,
  documentedRoute: `${list}/`,
  summary: 'List the whole catalogue, latest start first',
  description:
    'Hidden events are listed too. A page may have fewer than `limit` events without being the last. An event that was changed within the last seconds may be missing or listed as it was; `GET` of this event returns its present state.',
  query: listCatalogueQuerySchema,
  success: {
    status: 200,
    description: 'A page of events',
    body: z.array(catalogueEventSchema),
    headers: { Link: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page' },
  },
  errors: ['BAD_REQUEST', ...always],
});

export const getCatalogueEventOperation = operation({
  ...shared,
  ...one,
  operationId: 'getCatalogueEvent',
  method: 'GET',
  summary: 'Get everything about one event',
  description: 'Returns the event as it is stored at this moment.',
  success: { ...success, description: 'The event' },
  errors: ofOne,
});

export const putCatalogueEventOperation = operation({
  ...shared,
  ...one,
  operationId: 'putCatalogueEvent',
  method: 'PUT',
  summary: 'Create or replace an event',
  description: [
    'The event is judged as an import of files judges it. A field that is left out is cleared.',
    'The call needs `If-None-Match: *` to create an event, or `If-Match` to replace one: without either, it gets 428.',
    'If the stored event is another one, it gets 412, and `ETag` is the present entity tag.',
    'If a call gets no response, repeat it: 412 then means that the first call, or somebody else, has changed the event, and `GET` shows it.',
    'An event that stays as it is is not written.',
    'With a `schedule`, the `status` that is sent is the one before the first entry: the status of the event is that of its last entry that is due. To set another one, use the call for the status.',
    'If very many streams of one host were moved within the last minute, the call gets 503; `Retry-After` says when the same call succeeds.',
  ].join(' '),
  requestHeaders: {
    'If-Match': ifMatch('Either this or `If-None-Match` is required'),
    'If-None-Match': { schema: z.enum(['*']).optional(), description: 'Only create the event' },
  },
  body: catalogueEventRequestSchema,
  success: {
    ...success,
    description: 'The event after the change, or as it stays',
    created: 'The event that was created',
  },
  errors: [
    'BAD_REQUEST',
    'CONFLICT',
    'PATH_OVERLAPS',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'CHAIN_UNAVAILABLE',
    ...ofBodies,
    ...always,
  ],
});

export const deleteCatalogueEventOperation = operation({
  ...shared,
  ...one,
  operationId: 'deleteCatalogueEvent',
  method: 'DELETE',
  summary: 'Delete an event for good',
  description: 'A LIVE event is not deleted: set another status first.',
  requestHeaders: isReplaced,
  success: { status: 204, description: 'The event is deleted' },
  errors: [...ofOne, 'CONFLICT', 'EVENT_IS_LIVE', 'PRECONDITION_FAILED'],
});

export const setCatalogueStatusOperation = operation({
  ...shared,
  ...one,
  operationId: 'setCatalogueStatus',
  method: 'PUT',
  route: `${one.route}/status`,
  summary: 'Set the status of an event by hand',
  description:
    'With a schedule, the status lasts until the next entry is due; no entry ends `CANCELLED`. A later import keeps it until the event’s status in the file changes.',
  requestHeaders: isReplaced,
  body: statusRequestSchema,
  success: { ...success, description: 'The event with its new status' },
  errors: [...ofOne, 'CONFLICT', 'PRECONDITION_FAILED', ...ofBodies],
});

export const catalogueOperations = [
  listCatalogueOperation,
  getCatalogueEventOperation,
  putCatalogueEventOperation,
  deleteCatalogueEventOperation,
  setCatalogueStatusOperation,
] as const;

/** The entity tag of an event. It changes with each change, and whenever the event is created again. */
export const etagOf = ({ life = '', version }: Pick<StoredEvent, 'life' | 'version'>): string => {
  const hash = createHash('sha256').update(`${life}#${version}`).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
};
