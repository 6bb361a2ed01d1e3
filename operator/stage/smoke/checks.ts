import type { StageCheck } from './check-result.ts';

/** A call to a deployed stage, and the answer that is expected. None of the calls changes any data. */
export interface Check extends StageCheck {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly expected: Expectation;
}

export interface Expectation {
  readonly status: number | readonly number[];
  /** Fields and values that the JSON body must have. `array`: the body must be a JSON array. */
  readonly body?: Readonly<Record<string, unknown>> | 'array';
  /** Headers that the answer must have, and their values. `undefined` allows any value. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface Stage {
  readonly baseUrl: string;
  readonly b2bUrl: string;
  readonly profileUrl: string;
  /** The API key of an application. Without it, calls that need a valid key are not checked. */
  readonly apiKey?: string | undefined;
}

/** A key that does not exist, in the format of API Gateway's keys. */
const wrongKey = 'smoke0000000000000000000000000000000wrong';
const wrongToken = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHkifQ.';
const unknownAddress = '0x00000000000000000000000000000000deadbeef';
const unknownUser = '0'.repeat(32);
const unknownEndpoint = 'smoke-no-such-endpoint';
const unknownReplay = 'smoke-no-such-replay';

const contracts = '/api/v1/nft/contracts';
const events = '/api/v3/ott/events';

const forbidden: Expectation = { status: 403, body: { message: 'Forbidden' } };
const notFound: Expectation = { status: 404, body: { status: 404, message: 'NOT_FOUND' } };
const corsHeader = { 'access-control-allow-origin': undefined };
const noStore = { 'cache-control': 'private, no-store' };

/** The path without and with a trailing slash. Every route is served in both forms. */
const bothForms = (path: string): string[] => [path, `${path}/`];

const keyedRoutes = ({ baseUrl, b2bUrl }: Stage): readonly Pick<Check, 'method' | 'url' | 'body'>[] => [
  ...bothForms(contracts).flatMap((path) => [
    { method: 'GET', url: `${baseUrl}${path}` },
    // The body has no name. So nothing is deployed even if the API accepts the wrong key.
    { method: 'POST', url: `${baseUrl}${path}`, body: {} },
  ]),
  ...bothForms(`${contracts}/${unknownAddress}`).map((path) => ({ method: 'GET', url: `${baseUrl}${path}` })),
  ...bothForms(`${contracts}/${unknownAddress}/mint`).map((path) => ({
    method: 'POST',
    url: `${baseUrl}${path}`,
    body: {},
  })),
  ...bothForms(`${contracts}/${unknownAddress}/tokens`).map((path) => ({
    method: 'GET',
    url: `${baseUrl}${path}`,
  })),
  ...bothForms(`${contracts}/${unknownAddress}/tokens/1/destination`).map((path) => ({
    method: 'PUT',
    url: `${baseUrl}${path}`,
    body: {},
  })),
  ...['/notifications', '/notifications/endpoints', `/notifications/replay/${unknownReplay}`].flatMap(
    (route) => bothForms(route).map((path) => ({ method: 'GET', url: `${b2bUrl}${path}` })),
  ),
  ...['/user-data/read', '/vendor/user-subs/get', '/notifications/replay'].flatMap((route) =>
    bothForms(route).map((path) => ({ method: 'POST', url: `${b2bUrl}${path}`, body: {} })),
  ),
  // The endpoint does not exist, so nothing is sent even if the wrong key is accepted.
  ...bothForms('/notifications/test').map((path) => ({
    method: 'POST',
    url: `${b2bUrl}${path}`,
    body: { endpoint_id: unknownEndpoint },
  })),
];

const keyRefusals = (stage: Stage): Check[] =>
  keyedRoutes(stage).flatMap((route) => [
    { ...route, name: 'without a key', expected: forbidden },
    { ...route, name: 'with a wrong key', headers: { 'x-api-key': wrongKey }, expected: forbidden },
  ]);

const profileReads = [
  '/user/data',
  '/user/erasure',
  '/user/export',
  '/user/wallets',
  '/user/tokens',
  `/user/tokens/${unknownAddress}/1/history`,
  '/user/reporter/application-user-sub',
];

const publicCalls = ({ baseUrl, profileUrl }: Stage): Check[] => [
  ...bothForms(`${baseUrl}${events}`).map((url) => ({
    name: 'the catalogue, without a login',
    method: 'GET',
    url,
    expected: { status: 200, body: 'array' as const, headers: { ...noStore, ...corsHeader } },
  })),
  // No CORS header is expected from `/stream`: a stage that signs with cookies sends it only to configured origins.
  ...[
    { end: '', headers: corsHeader },
    { end: '/stream', headers: {} },
  ].flatMap(({ end, headers }) =>
    bothForms(`${baseUrl}${events}/smoke-no-such-event${end}`).map((url) => ({
      name: 'an unknown event',
      method: 'GET',
      url,
      expected: { status: 404, body: { message: 'EVENT_NOT_FOUND' }, headers },
    })),
  ),
  {
    name: 'an invalid token',
    method: 'GET',
    url: `${baseUrl}${events}`,
    headers: { authorization: `Bearer ${wrongToken}` },
    expected: { status: 401, headers: corsHeader },
  },
  ...bothForms(`${baseUrl}${events}/smoke-no-such-event/stream/end`).map((url) => ({
    name: 'a request to end a session, without an access token',
    method: 'POST',
    url,
    body: { session: '00000000-0000-4000-8000-000000000000' },
    expected: { status: 401, headers: corsHeader },
  })),
  ...bothForms(`${profileUrl}/user/tokens/${unknownAddress}/claim`).map((url) => ({
    name: 'a request to claim a token, without an access token',
    method: 'POST',
    url,
    body: { address: unknownAddress, id: '1' },
    expected: { status: 401, headers: corsHeader },
  })),
  ...bothForms(`${baseUrl}${contracts}/${unknownAddress}/metadata`).map((url) => ({
    name: 'metadata of an unknown contract',
    method: 'GET',
    url,
    expected: { status: 404, body: { message: 'CONTRACT_NOT_FOUND' } },
  })),
  ...profileReads.flatMap((route) =>
    bothForms(`${profileUrl}${route}`).map((url) => ({
      name: 'a request for a profile, without an access token',
      method: 'GET',
      url,
      expected: { status: 401, headers: corsHeader },
    })),
  ),
  // Without a token there is nobody whom the call could erase.
  ...bothForms(`${profileUrl}/user/data`).map((url) => ({
    name: 'a request to erase a user, without an access token',
    method: 'DELETE',
    url,
    expected: { status: 401, headers: corsHeader },
  })),
];

const preflights = ({ baseUrl, profileUrl }: Stage): Check[] =>
  [
    { url: `${baseUrl}${events}`, method: 'GET' },
    { url: `${profileUrl}/user/data`, method: 'PUT' },
    { url: `${profileUrl}/user/data`, method: 'DELETE' },
    { url: `${profileUrl}/user/wallets/${unknownAddress}`, method: 'DELETE' },
    { url: `${profileUrl}/user/tokens/${unknownAddress}/claim`, method: 'POST' },
  ].map(({ url, method }) => ({
    name: `preflight of ${method}`,
    method: 'OPTIONS',
    url,
    headers: {
      origin: 'https://smoke.example.com',
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    },
    expected: {
      status: [200, 204],
      headers: { ...corsHeader, 'access-control-allow-methods': undefined },
    },
  }));

const unknownRoutes = ({ baseUrl, b2bUrl, profileUrl }: Stage): Check[] =>
  [baseUrl, b2bUrl, profileUrl].flatMap((url): Check[] => [
    { name: 'an unknown route', method: 'GET', url: `${url}/smoke/no-such-route`, expected: notFound },
    {
      name: 'an unknown route, with a key',
      method: 'GET',
      url: `${url}/smoke/no-such-route`,
      headers: { 'x-api-key': wrongKey },
      expected: notFound,
    },
    {
      name: 'an unknown route, with a token',
      method: 'POST',
      url: `${url}/smoke/no-such-route/`,
      headers: { authorization: `Bearer ${wrongToken}` },
      expected: notFound,
    },
  ]);

const keyedCalls = ({ apiKey, ...stage }: Stage): Check[] => {
  if (apiKey === undefined) return [];
  const headers = { 'x-api-key': apiKey };
  return [
    ...bothForms(`${stage.baseUrl}${contracts}`).map((url) => ({
      name: 'contracts, with a key',
      method: 'GET',
      url,
      headers,
      expected: { status: 200, body: 'array' as const },
    })),
    {
      name: 'an unknown contract, with a key',
      method: 'GET',
      url: `${stage.baseUrl}${contracts}/${unknownAddress}`,
      headers,
      expected: { status: 404, body: { message: 'CONTRACT_NOT_FOUND' } },
    },
    {
      name: 'the history of a token of an unknown contract, with a key',
      method: 'GET',
      url: `${stage.baseUrl}${contracts}/${unknownAddress}/tokens/1/history`,
      headers,
      expected: { status: 404, body: { message: 'CONTRACT_NOT_FOUND' } },
    },
    {
      name: 'a token of an unknown contract, with a key',
      method: 'PUT',
      url: `${stage.baseUrl}${contracts}/${unknownAddress}/tokens/1/void`,
      headers,
      expected: { status: 404, body: { message: 'CONTRACT_NOT_FOUND' } },
    },
    {
      name: 'a request for an unknown user, with an API key',
      method: 'POST',
      url: `${stage.b2bUrl}/user-data/read`,
      headers,
      body: { application_user_sub: unknownUser },
      expected: { status: 404, body: { status: 404, error_fields: 'USER_NOT_FOUND' } },
    },
    {
      name: 'a bad request, with a key',
      method: 'POST',
      url: `${stage.b2bUrl}/user-data/read`,
      headers,
      body: {},
      expected: { status: 400, body: { status: 400, message: 'BAD_REQUEST' } },
    },
  ];
};

/** Calls about notifications. The test and the replay name an endpoint that does not exist, so nothing is sent. */
const keyedNotificationCalls = ({ b2bUrl, apiKey }: Stage): Check[] => {
  if (apiKey === undefined) return [];
  const headers = { 'x-api-key': apiKey };
  const noEndpoint: Expectation = { status: 404, body: { status: 404, message: 'ENDPOINT_NOT_FOUND' } };
  return [
    ...['/notifications', '/notifications/endpoints'].flatMap(bothForms).map((path) => ({
      name: "a request for an application's notifications, with its API key",
      method: 'GET',
      url: `${b2bUrl}${path}`,
      headers,
      expected: { status: 200, body: 'array' as const },
    })),
    {
      name: 'a request for a test notification to an unknown endpoint, with an API key',
      method: 'POST',
      url: `${b2bUrl}/notifications/test`,
      headers,
      body: { endpoint_id: unknownEndpoint },
      expected: noEndpoint,
    },
    {
      name: 'a request to replay notifications to an unknown endpoint, with an API key',
      method: 'POST',
      url: `${b2bUrl}/notifications/replay`,
      headers,
      body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', endpoint_id: unknownEndpoint },
      expected: noEndpoint,
    },
    {
      name: 'a request for an unknown replay, with an API key',
      method: 'GET',
      url: `${b2bUrl}/notifications/replay/${unknownReplay}`,
      headers,
      expected: { status: 404, body: { status: 404, message: 'REPLAY_NOT_FOUND' } },
    },
  ];
};

export const checksOf = (stage: Stage): Check[] => [
  ...keyRefusals(stage),
  ...publicCalls(stage),
  ...preflights(stage),
  ...unknownRoutes(stage),
  ...keyedCalls(stage),
  ...keyedNotificationCalls(stage),
];
