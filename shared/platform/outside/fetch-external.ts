import type { SecretReader } from '../aws/secret-reader.ts';
import { callSignal } from '../time/deadline.ts';
import { type CircuitBreaker, CircuitOpenError, isTimeout } from './circuit-breaker.ts';

/** The maximum number of bytes read from a response. A usual response is a few hundred bytes long. */
const maximumBytes = 64 * 1024;

export interface ExternalCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limits the whole exchange, including the response body. */
  readonly timeoutMilliseconds: number;
  readonly contentType: RegExp;
}

export interface ExternalAnswer {
  readonly status: number;
  /** The parsed body. Set only if the status is 200. */
  readonly json: unknown;
}

/**
 * One exchange with an external, untrusted service. It has a hard timeout, a bounded body, and a fixed content type.
 * Redirects are not followed, because they would send the credentials elsewhere.
 * @throws Error unless the response is complete and in time.
 */
export const fetchExternal = async (call: ExternalCall): Promise<ExternalAnswer> => {
  const { url, method, headers, body, timeoutMilliseconds, contentType } = call;
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: callSignal(timeoutMilliseconds),
    body,
  });
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    return { status, json: undefined };
  }
  const type = response.headers.get('content-type') ?? '';
  if (!contentType.test(type)) {
    await response.body?.cancel();
    throw new Error(`answered 200 with content type ${JSON.stringify(type.slice(0, 100))}`);
  }
  return { status, json: JSON.parse(await readText(response)) };
};

const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the transfer.
    if (bytes > maximumBytes) throw new Error(`answered more than ${maximumBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * Calls a service, with one retry. There is no retry after a timeout, because the next call would hang too. After a 401
 * or 403 the secret is read again before the retry, in case it was rotated.
 * @throws CircuitOpenError, the timeout's error, or AggregateError of both tries' errors.
 */
export const withRetry = async <Secret, Answer>({
  secret,
  breaker,
  exchange,
  read,
}: {
  readonly secret: Pick<SecretReader<Secret>, 'read' | 'refresh'>;
  readonly breaker: CircuitBreaker;
  readonly exchange: (secret: Secret) => Promise<ExternalAnswer>;
  readonly read: (answer: ExternalAnswer) => Answer;
}): Promise<Answer> => {
  let isRefused = false;
  const attempt = async (): Promise<Answer> => {
    const value = await (isRefused ? secret.refresh() : secret.read());
    const answer = await breaker.run(() => exchange(value));
    isRefused = answer.status === 401 || answer.status === 403;
    return read(answer);
  };
  try {
    return await attempt();
  } catch (first) {
    if (isTimeout(first) || first instanceof CircuitOpenError) throw first;
    try {
      return await attempt();
    } catch (second) {
      throw new AggregateError([first, second], `Failed twice: ${first}; then ${second}`);
    }
  }
};
