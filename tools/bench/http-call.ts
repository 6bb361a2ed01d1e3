import { request } from 'undici';

export interface HttpCall {
  /** @default GET */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The expected status. @default 200 */
  readonly status?: number;
}

/**
 * Makes a call and returns the body as text. It needs less processor time than `fetch`, which matters because the
 * measured system runs on the same machine.
 *
 * @throws when the status is not the expected one.
 */
export const httpCall = async (
  url: string,
  { method = 'GET', headers = {}, json, status = 200 }: HttpCall = {},
): Promise<string> => {
  const answer = await request(url, {
    method,
    headers: json === undefined ? { ...headers } : { 'content-type': 'application/json', ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== status)
    throw new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`);
  return text;
};
