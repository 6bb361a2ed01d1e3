import { answeredAs, type Call, type CallOptions, done, pageOf, type Query } from './calls.ts';
import type { components } from './generated/schema.ts';
import type { Caller } from './http.ts';
import { itemsOf } from './pages.ts';

type Schemas = components['schemas'];
export type CatalogueEvent = Schemas['CatalogueEvent'];
export type CatalogueEventRequest = Schemas['CatalogueEventRequest'];
export type EventStatus = Schemas['EventStatusRequest']['status'];
export type CatalogueQuery = Query<'/api/v3/ott/catalogue/'>;

/** A version of an event. Pass `etag` as `ifMatch` to change only this version. */
export interface CatalogueEventVersion {
  readonly event: CatalogueEvent;
  readonly etag: string;
}

/** The version that a call may change: one that was read, or none, which creates the event. */
export type ExpectedVersion = { readonly ifMatch: string } | { readonly ifNoneMatch: '*' };

const versionOf = ({
  data,
  response,
}: {
  readonly data: CatalogueEvent;
  readonly response: Response;
}): CatalogueEventVersion => ({ event: data, etag: response.headers.get('etag') ?? '' });

const matching = (ifMatch: string | undefined) =>
  ifMatch === undefined ? {} : { header: { 'If-Match': ifMatch } };

/** Calls of the catalogue, for servers with the key of an editor. */
export const catalogueCalls = ({ http, following }: Caller) => ({
  /** The whole catalogue, latest start first. */
  listCatalogue: (query: CatalogueQuery = {}, options: CallOptions = {}) =>
    itemsOf((cursor) =>
      pageOf(() =>
        http.GET('/api/v3/ott/catalogue/', {
          params: { query: { ...query, ...(cursor && { cursor }) } },
          ...following(options),
        }),
      ),
    ),
  getCatalogueEvent: (id: string, options: CallOptions = {}): Call<CatalogueEventVersion> =>
    answeredAs(
      () =>
        http.GET('/api/v3/ott/catalogue/{event_id}', {
          params: { path: { event_id: id } },
          ...following(options),
        }),
      versionOf,
    ),
  /**
   * Creates or replaces an event. A field that is left out is cleared. The call is sent once: after a `NoAnswerError`,
   * `getCatalogueEvent` says whether it has stored the event.
   *
   * @throws ConflictError when the stored event is another version, or the path of the stream overlaps with that of
   * another event.
   */
  putCatalogueEvent: (
    event: CatalogueEventRequest,
    {
      ifMatch,
      ifNoneMatch,
      ...options
    }: CallOptions & ExpectedVersion & { ifMatch?: string; ifNoneMatch?: '*' },
  ): Call<CatalogueEventVersion> =>
    answeredAs(
      () =>
        http.PUT('/api/v3/ott/catalogue/{event_id}', {
          body: event,
          params: {
            path: { event_id: event.event_id },
            header: {
              ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
              ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
            },
          },
          ...following(options),
        }),
      versionOf,
    ),
  /**
   * Deletes an event. The call is sent once: after a `NoAnswerError`, `getCatalogueEvent` says whether it has deleted the
   * event.
   *
   * @throws ConflictError when the event is LIVE, or no longer the version that `ifMatch` names.
   */
  deleteCatalogueEvent: (
    id: string,
    { ifMatch, ...options }: CallOptions & { readonly ifMatch?: string } = {},
  ): Call<void> =>
    done(() =>
      http.DELETE('/api/v3/ott/catalogue/{event_id}', {
        params: { path: { event_id: id }, ...matching(ifMatch) },
        ...following(options),
      }),
    ),
  /** @throws ConflictError when the event is no longer the version that `ifMatch` names. */
  setCatalogueStatus: (
    id: string,
    status: EventStatus,
    { ifMatch, ...options }: CallOptions & { readonly ifMatch?: string } = {},
  ): Call<CatalogueEventVersion> =>
    answeredAs(
      () =>
        http.PUT('/api/v3/ott/catalogue/{event_id}/status', {
          body: { status },
          params: { path: { event_id: id }, ...matching(ifMatch) },
          ...following(options),
        }),
      versionOf,
    ),
});
