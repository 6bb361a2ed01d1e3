import { NoAnswerError, retryAfterSecondsOf } from './errors.ts';

export interface RetryOptions {
  /** How long one try may take, its body included. @default 15_000 */
  readonly tryMilliseconds?: number;
  /** How long all tries of a call may take, the waits between them included. @default 60_000 */
  readonly deadlineMilliseconds?: number;
}

export interface SendOptions extends Required<RetryOptions> {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  readonly credentials: 'omit' | 'same-origin' | 'include';
  /** Whether doing it twice is as good as once, so that it may be sent again when no answer tells what happened. */
  readonly isRepeatable: boolean;
}

const shortestWaitMilliseconds = 200;
const longestWaitMilliseconds = 5_000;

/** Codes that pass by themselves and say that nothing was made. */
const passingCodes: Readonly<Record<number, readonly string[]>> = {
  409: ['IDEMPOTENCY_KEY_IN_USE', 'CONFLICT'],
  503: ['CHAIN_UNAVAILABLE', 'ENTITLEMENT_UNAVAILABLE'],
};

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/** Grows with each try; jitter keeps callers that failed together from coming again together. */
const waitBefore = (tried: number, retryAfterSeconds: number | undefined): number => {
  const most = Math.min(longestWaitMilliseconds, shortestWaitMilliseconds * 2 ** tried);
  const jittered = most * (0.5 + Math.random() / 2);
  return retryAfterSeconds === undefined ? jittered : retryAfterSeconds * 1_000 + jittered / 2;
};

/** The whole answer, so that a connection that breaks within its body breaks the try. */
const tryOnce = async (options: SendOptions): Promise<Response> => {
  const { fetch, url, method, headers, body, credentials, tryMilliseconds } = options;
  const response = await fetch(url, {
    method,
    headers,
    credentials,
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(tryMilliseconds)]),
    ...(body === undefined ? {} : { body }),
  });
  const bytes = await response.arrayBuffer();
  const { status, statusText } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, {
    status,
    statusText,
    headers: response.headers,
  });
};

const isPassing = async (response: Response, isRepeatable: boolean): Promise<boolean> => {
  const { status } = response;
  if (status === 429) return true;
  // Of any other 503, and of those without an answer of the service, it is not known what came.
  if (isRepeatable && [500, 502, 503, 504].includes(status)) return true;
  const codes = passingCodes[status];
  if (codes === undefined) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return codes.includes(String((body as { message?: unknown } | undefined)?.message));
};

/**
 * Sends a request until an answer is final: 429, a 409 or 503 that says that nothing was made, and, of what may be
 * repeated, broken connections, late answers, 500, 502, 503 and 504 are waited out, for as long as the deadline lets it.
 * The last answer is given back, whatever it says.
 *
 * @throws NoAnswerError when the last try had none; the reason of `signal` when it was given up.
 */
export const send = async (options: SendOptions): Promise<Response> => {
  const { signal, isRepeatable, deadlineMilliseconds } = options;
  const deadline = performance.now() + deadlineMilliseconds;
  for (let tried = 1; ; tried++) {
    let answer: Response | undefined;
    let cause: unknown;
    const left = Math.max(1, deadline - performance.now());
    try {
      answer = await tryOnce({ ...options, tryMilliseconds: Math.min(options.tryMilliseconds, left) });
    } catch (error) {
      signal.throwIfAborted();
      cause = error;
    }
    const isFinal = answer === undefined ? !isRepeatable : !(await isPassing(answer, isRepeatable));
    if (answer !== undefined && isFinal) return answer;
    const wait = waitBefore(tried, answer && retryAfterSecondsOf(answer.headers));
    if (isFinal || performance.now() + wait > deadline) {
      if (answer !== undefined) return answer;
      throw new NoAnswerError(`No answer to ${options.method} ${options.url}`, { cause });
    }
    await sleep(wait, signal);
  }
};
