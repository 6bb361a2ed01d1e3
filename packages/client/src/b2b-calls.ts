import {
  answered,
  type CallOptions,
  keyOf,
  pageOf,
  type Query,
  signalOf,
  type WriteOptions,
} from './calls.ts';
import type { components } from './generated/schema.ts';
import type { Http } from './http.ts';
import { itemsOf } from './pages.ts';

type Schemas = components['schemas'];
export type ApplicationUser = Schemas['ApplicationUser'];
export type SentNotification = Schemas['SentNotification'];
export type NotificationEndpoint = Schemas['NotificationEndpoint'];
export type NewReplay = Schemas['NewReplay'];
export type Replay = Schemas['Replay'];
export type NotificationQuery = Query<'/notifications'>;

/** Calls of the business-to-business API: a server's, with an API key. */
export const b2bCalls = (http: Http) => ({
  /** Never older than the change that a notification told of. */
  readUserData: (applicationUserSub: string, options: CallOptions = {}): Promise<ApplicationUser> =>
    answered(
      http.POST('/user-data/read', {
        body: { application_user_sub: applicationUserSub },
        ...signalOf(options),
      }),
    ),
  /** What the application calls each of up to 100 users; null for one who is unknown or none of its own. */
  exchangeUserSubs: async (userSubs: readonly string[], options: CallOptions = {}) =>
    (
      await answered(
        http.POST('/vendor/user-subs/get', { body: { user_subs: [...userSubs] }, ...signalOf(options) }),
      )
    ).user_subs,
  /** What was sent to this application in the last 30 days, newest first. */
  listNotifications: (query: NotificationQuery = {}, options: CallOptions = {}) =>
    itemsOf((cursor) =>
      pageOf(
        http.GET('/notifications', {
          params: { query: { ...query, ...(cursor && { cursor }) } },
          ...signalOf(options),
        }),
      ),
    ),
  listNotificationEndpoints: (options: CallOptions = {}): Promise<NotificationEndpoint[]> =>
    answered(http.GET('/notifications/endpoints', signalOf(options))),
  /** Without an endpoint's id every endpoint of the application gets it. */
  sendTestNotification: ({
    endpointId,
    ...options
  }: CallOptions & { readonly endpointId?: string } = {}): Promise<SentNotification> =>
    answered(
      http.POST('/notifications/test', {
        body: endpointId === undefined ? {} : { endpoint_id: endpointId },
        ...signalOf(options),
      }),
    ),
  /** Has what was sent in a stretch of time sent again; `getReplay` says how far that is. */
  startReplay: (order: NewReplay, options: WriteOptions = {}): Promise<Replay> =>
    answered(
      http.POST('/notifications/replay', { body: order, params: keyOf(options), ...signalOf(options) }),
    ),
  getReplay: (id: string, options: CallOptions = {}): Promise<Replay> =>
    answered(http.GET('/notifications/replay/{id}', { params: { path: { id } }, ...signalOf(options) })),
});
