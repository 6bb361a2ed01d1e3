export interface GatewayRequest {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly traceId: string;
  readonly method: string;
  /** The path in the URL without the API's prefix, not decoded. */
  readonly path: string;
  readonly query: string;
  readonly protocol: string;
  /** With the client's capitalization. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly header: (name: string) => string | undefined;
  readonly sourceIp: string;
  readonly receivedAt: number;
  readonly body: Buffer | undefined;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `$context.requestTime`: the format of Apache logs. */
export const requestTime = (milliseconds: number): string => {
  const [year, month, day] = new Date(milliseconds).toISOString().slice(0, 10).split('-');
  return `${day}/${months[Number(month) - 1]}/${year}:${new Date(milliseconds).toISOString().slice(11, 19)} +0000`;
};

/** The decoded name-value pairs of a query string. A name without `=` has an empty value. */
export const queryPairs = (query: string): ReadonlyArray<readonly [string, string]> =>
  query === '' ? [] : [...new URLSearchParams(query)];

export const grouped = (pairs: ReadonlyArray<readonly [string, string]>): Record<string, string[]> | null => {
  if (pairs.length === 0) return null;
  const groups = Map.groupBy(pairs, ([name]) => name);
  // `fromEntries` also works for a header named `__proto__`. Assigning to an object's property would not.
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.map(([, value]) => value)]));
};

export const lastOfEach = (pairs: ReadonlyArray<readonly [string, string]>): Record<string, string> | null =>
  pairs.length === 0 ? null : Object.fromEntries(pairs);
