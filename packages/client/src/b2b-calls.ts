import { answered, answeredAs, type Call, type CallOptions, keyOf, pageOf, type Query } from './calls.ts';
import type { components } from './generated/schema.ts';
import type { Caller } from './http.ts';
import { itemsOf } from './pages.ts';

type Schemas = components['schemas'];
export type ApplicationUser = Schemas['ApplicationUser'];
export type ApplicationUserEntry = Schemas['ApplicationUserEntry'];
export type SentNotification = Schemas['SentNotification'];
export type NotificationEndpoint = Schemas['NotificationEndpoint'];
export type ReplayRequest = Schemas['ReplayRequest'];
export type Replay = Schemas['Replay'];
export type NotificationQuery = Query<'/notifications'>;

/** Calls of the business-to-business API, for servers with an API key. */
export const b2bCalls = ({ http, following }: Caller) => ({
  /** Reads one user. After a notification, the response contains the announced change or a later one. */
  readUserData: (applicationUserSub: string, options: CallOptions = {}): Call<ApplicationUser> =>
    answered(() =>
      http.POST('/user-data/read', {
        body: { application_user_sub: applicationUserSub },
        ...following(options),
      }),
    ),
  /**
   * Reads up to 100 users. The entries are in the order of the request. An entry's `error_fields` says why its data is
   * missing.
   */
  readUserDataBatch: (
    applicationUserSubs: readonly string[],
    options: CallOptions = {},
  ): Call<ApplicationUserEntry[]> =>
    answered(() =>
      http.POST('/user-data/read/batch', {
        body: { application_user_subs: [...applicationUserSubs] },
        ...following(options),
      }),
    ),
  /**
   * The identifiers that up to 100 users have in this application; null for a user who is unknown or does not belong to
   * the application.
   */
  exchangeUserSubs: (userSubs: readonly string[], options: CallOptions = {}) =>
    answeredAs(
      () => http.POST('/vendor/user-subs/get', { body: { user_subs: [...userSubs] }, ...following(options) }),
      ({ data }) => data.user_subs,
    ),
  /** The notifications that were sent to this application in the last 30 days, newest first. */
  listNotifications: (query: NotificationQuery = {}, options: CallOptions = {}) =>
    itemsOf((cursor) =>
      pageOf(() =>
        http.GET('/notifications', {
          params: { query: { ...query, ...(cursor && { cursor }) } },
          ...following(options),
        }),
      ),
    ),
  listNotificationEndpoints: (options: CallOptions = {}): Call<NotificationEndpoint[]> =>
    answered(() => http.GET('/notifications/endpoints', following(options))),
  /** Sends a test notification. Without `endpointId`, it goes to every endpoint of the application. */
  sendTestNotification: ({
    endpointId,
    ...options
  }: CallOptions & { readonly endpointId?: string } = {}): Call<SentNotification> =>
    answered(() =>
      http.POST('/notifications/test', {
        body: endpointId === undefined ? {} : { endpoint_id: endpointId },
        ...following(options),
      }),
    ),
  /** Sends the notifications of a time range again. `getReplay` shows the progress. */
  startReplay: (order: ReplayRequest, options: CallOptions = {}): Call<Replay> =>
    answered(() =>
      http.POST('/notifications/replay', { body: order, params: keyOf(options), ...following(options) }),
    ),
  getReplay: (id: string, options: CallOptions = {}): Call<Replay> =>
    answered(() =>
      http.GET('/notifications/replay/{id}', { params: { path: { id } }, ...following(options) }),
    ),
});
