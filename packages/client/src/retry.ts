import { refusedOrigin } from './cors.ts';
import { MarqueeError, NoAnswerError, retryAfterSecondsOf } from './errors.ts';

export interface RetryOptions {
  /** The longest duration of one try, including the reading of the response's body. @default 15_000 */
  readonly tryMilliseconds?: number | undefined;
  /** The longest duration of a call: all its tries together and the waits between them. @default 60_000 */
  readonly deadlineMilliseconds?: number | undefined;
}

export interface SendOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly credentials: 'omit' | 'same-origin' | 'include';
  /** Whether the request can be retried without doing harm. */
  readonly isRepeatable: boolean;
  /** Whether a browser completes the request when the page is closed. */
  readonly outlivesPage: boolean;
  /** The method and path of the call in the OpenAPI document. */
  readonly call: string;
  /** The calls of which this page could read a response. `send` adds to it. */
  readonly heard: Set<string>;
  readonly tryMilliseconds: number;
  readonly limit: Limit;
}

const shortestWaitMilliseconds = 200;
const longestWaitMilliseconds = 5_000;

/** CloudFront repeats an error of its own for ten seconds. A browser keeps such an error from the page, too. */
const proxyErrorMilliseconds = 10_000;

/** A 409 with one of these codes is temporary: the same request can succeed later. */
const passingConflicts: readonly unknown[] = ['IDEMPOTENCY_KEY_IN_USE', 'CONFLICT'];

/** A time limit that also ends when the caller aborts. */
export interface Limit {
  readonly signal: AbortSignal;
  /** Whether the time limit has expired. Stays `false` if the caller aborted first. */
  isOver(): boolean;
  leftMilliseconds(): number;
  /** @throws the reason, if the time limit has expired or the caller has aborted. */
  throwIfOver(): void;
  /** Settles as `work` does, but rejects if the time limit expires first, even if `work` ignores its abort signal. */
  hold<Value>(work: Promise<Value>): Promise<Value>;
  release(): void;
}

const timeOver = Symbol('time over');

/** The reason of an aborted signal. Browsers have it since 2022. */
const reasonOf = (signal: AbortSignal): unknown =>
  'reason' in signal ? signal.reason : new DOMException('The call was aborted', 'AbortError');

/** @throws the abort reason of the signal `given`, if this signal has already aborted. */
export const startLimit = (milliseconds: number, given?: AbortSignal | null): Limit => {
  if (given?.aborted) throw reasonOf(given);
  const controller = new AbortController();
  const { signal } = controller;
  const end = performance.now() + milliseconds;
  let reason: unknown;
  const abort = (why: unknown): void => {
    if (signal.aborted) return;
    reason = why;
    controller.abort(why);
  };
  const giveUp = (): void => abort(given && reasonOf(given));
  const timer = setTimeout(() => abort(timeOver), milliseconds);
  given?.addEventListener('abort', giveUp, { once: true });
  return {
    signal,
    isOver: () => reason === timeOver,
    leftMilliseconds: () => end - performance.now(),
    throwIfOver: () => {
      if (signal.aborted) throw reason;
    },
    hold: (work) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(reason);
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
      }),
    release: () => {
      clearTimeout(timer);
      given?.removeEventListener('abort', giveUp);
    },
  };
};

/**
 * Resolves to `true` after the pause, or to `false` if the time limit expires first.
 * @throws the caller's abort reason if the caller aborts.
 */
export const pause = async (milliseconds: number, limit: Limit): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), milliseconds);
  });
  try {
    return await limit.hold(passed);
  } catch (error) {
    if (limit.isOver()) return false;
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * The wait in milliseconds before the next try. It grows with each try. Jitter keeps callers that failed at the same
 * time from retrying at the same time.
 */
const waitBefore = (tried: number, retryAfterSeconds: number | undefined): number => {
  const most = Math.min(longestWaitMilliseconds, shortestWaitMilliseconds * 2 ** tried);
  const jittered = most * (0.5 + Math.random() / 2);
  return retryAfterSeconds === undefined ? jittered : retryAfterSeconds * 1_000 + jittered / 2;
};

/** Reads the whole body, so that the try fails if the connection breaks before the body is complete. */
const tryOnce = async (options: SendOptions): Promise<Response> => {
  const { fetch, url, method, headers, body, credentials, outlivesPage, limit, tryMilliseconds } = options;
  const { signal, hold, release } = startLimit(tryMilliseconds, limit.signal);
  const ask = async (): Promise<Response> => {
    // Redirects are not followed. Following a redirect would turn a write into a GET, and would send the API key to any
    // address that the response names.
    const init: RequestInit = {
      method,
      headers,
      credentials,
      redirect: 'manual',
      keepalive: outlivesPage,
      signal,
    };
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    if (response.type === 'opaqueredirect') return response;
    const bytes = await response.arrayBuffer();
    const { status, statusText } = response;
    return new Response(bytes.byteLength === 0 ? null : bytes, {
      status,
      statusText,
      headers: response.headers,
    });
  };
  try {
    return await hold(ask());
  } finally {
    release();
  }
};

const isPassing = async (response: Response): Promise<boolean> => {
  const { status } = response;
  if (status !== 409 && status !== 429) return [500, 502, 503, 504].includes(status);
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code = (body as { message?: unknown } | null | undefined)?.message;
  return status === 409 ? passingConflicts.includes(code) : code !== 'QUOTA_EXCEEDED';
};

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

/** As `refusedOrigin`, but `undefined` if finding it out takes longer than one try, or the caller aborts. */
const refusedOriginInTime = async (options: SendOptions): Promise<string | undefined> => {
  const { fetch, url, limit, tryMilliseconds } = options;
  if (limit.signal.aborted) return undefined;
  const { signal, hold, release } = startLimit(tryMilliseconds, limit.signal);
  return hold(refusedOrigin(fetch, url, signal))
    .catch(() => undefined)
    .finally(release);
};

/**
 * Sends a request. After a broken connection, a late response, 500, 502, 503, 504, or a temporary 409 or 429, a repeatable
 * request is retried until the deadline. Returns the last response, whatever its status. If a browser keeps the responses
 * of a call from the page, and has never given it one, the retries end within fifteen seconds.
 * @throws NoAnswerError when the last try had no response; MarqueeError when the response is a redirect; the reason of the
 * caller's signal when that signal aborted.
 */
export const send = async (options: SendOptions): Promise<Response> => {
  const { limit, isRepeatable, method, url, call, heard } = options;
  const began = performance.now();
  let refused: string | undefined;
  for (let tried = 1; ; tried++) {
    let answer: Response | undefined;
    let cause: unknown;
    try {
      answer = await tryOnce(options);
    } catch (error) {
      const isOver = limit.isOver();
      if (!isOver) limit.throwIfOver();
      cause = isOver || error === timeOver ? new Error('The answer came too late') : error;
    }
    let isRefused: unknown;
    if (cause instanceof TypeError && !heard.has(call)) {
      const isAgain = refused && performance.now() - began >= proxyErrorMilliseconds;
      if (tried === 1 || isAgain) refused = await refusedOriginInTime(options);
      isRefused = isAgain && refused;
    }
    if (answer) {
      if (isRedirect(answer)) {
        const target = answer.headers.get('location') ?? 'another address';
        throw new MarqueeError(`${method} ${url} is redirected to ${target}, which is not followed`);
      }
      heard.add(call);
      refused = undefined;
      if (!isRepeatable || !(await isPassing(answer))) return answer;
    }
    const wait = waitBefore(tried, answer && retryAfterSecondsOf(answer.headers));
    const isLast =
      isRefused || !isRepeatable || wait >= limit.leftMilliseconds() || !(await pause(wait, limit));
    if (!isLast) continue;
    if (answer) return answer;
    const reason = refused ? `: the service does not allow pages of ${refused} (CORS)` : '';
    throw new NoAnswerError(`No answer to ${method} ${url}${reason}`, { cause });
  }
};
