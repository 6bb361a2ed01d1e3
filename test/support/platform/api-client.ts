export interface ApiAnswer<Json> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

export interface ApiCall {
  readonly method?: string;
  readonly key?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** `Json` is the type of body that the test expects. `json` is `undefined` if the response is not JSON. */
export const callApi = async <Json = unknown>(url: string, call: ApiCall = {}): Promise<ApiAnswer<Json>> => {
  const { method = call.body === undefined ? 'GET' : 'POST', key, token, headers, body, signal } = call;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (isJson ? JSON.parse(text) : undefined) as Json,
  };
};
