import { MarqueeError, NoAnswerError, retryAfterSecondsOf } from './errors.ts';

export interface RetryOptions {
  /** How long one try may take, its body included. @default 15_000 */
  readonly tryMilliseconds?: number | undefined;
  /** How long all tries of a call may take, the waits between them included. @default 60_000 */
  readonly deadlineMilliseconds?: number | undefined;
}

export interface SendOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly credentials: 'omit' | 'same-origin' | 'include';
  /** Whether doing it twice is as good as once, so that it may be sent again at all. */
  readonly isRepeatable: boolean;
  readonly tryMilliseconds: number;
  /** Ends with the caller's signal or the deadline of the call, whichever is first. */
  readonly limit: Limit;
}

const shortestWaitMilliseconds = 200;
const longestWaitMilliseconds = 5_000;

/** Codes of a 409 that pass by themselves. */
const passingConflicts = ['IDEMPOTENCY_KEY_IN_USE', 'CONFLICT'];

/** What ends when its time is over, or when the caller gives it up. */
export interface Limit {
  /** Aborted at the end. */
  readonly signal: AbortSignal;
  /** Whether the time is over, rather than the caller having given up. */
  isOver(): boolean;
  leftMilliseconds(): number;
  /** What comes of the work, or the end: heard at once, also by work that hears nothing of a signal. */
  hold<Value>(work: Promise<Value>): Promise<Value>;
  /** Forgets its timer. */
  release(): void;
}

/** The reason of a limit whose time is over. */
const timeOver = Symbol('time over');

/** @throws the reason of a signal that is aborted already. */
export const startLimit = (milliseconds: number, given?: AbortSignal | null): Limit => {
  given?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const end = performance.now() + milliseconds;
  const giveUp = (): void => controller.abort(given?.reason);
  const timer = setTimeout(() => controller.abort(timeOver), milliseconds);
  given?.addEventListener('abort', giveUp, { once: true });
  return {
    signal,
    isOver: () => signal.reason === timeOver,
    leftMilliseconds: () => end - performance.now(),
    hold: (work) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason);
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

/** Whether all of the time has passed, rather than the limit's. @throws the caller's reason when it is given up. */
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

/** Grows with each try; jitter keeps callers that failed together from coming again together. */
const waitBefore = (tried: number, retryAfterSeconds: number | undefined): number => {
  const most = Math.min(longestWaitMilliseconds, shortestWaitMilliseconds * 2 ** tried);
  const jittered = most * (0.5 + Math.random() / 2);
  return retryAfterSeconds === undefined ? jittered : retryAfterSeconds * 1_000 + jittered / 2;
};

/** The whole answer, so that a connection that breaks within its body breaks the try. */
const tryOnce = async (options: SendOptions): Promise<Response> => {
  const { fetch, url, method, headers, body, credentials, limit, tryMilliseconds } = options;
  const { signal, hold, release } = startLimit(tryMilliseconds, limit.signal);
  const ask = async (): Promise<Response> => {
    // Not followed: a write would go on as a GET, and its key to whatever address the answer names.
    const init: RequestInit = { method, headers, credentials, redirect: 'manual', signal };
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
  if ([429, 500, 502, 503, 504].includes(response.status)) return true;
  if (response.status !== 409) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return passingConflicts.includes(String((body as { message?: unknown } | null | undefined)?.message));
};

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

/**
 * Sends a request until an answer is final. Of what may be repeated, broken connections, late answers, 429, 500, 502, 503,
 * 504 and a 409 that passes are waited out, for as long as the deadline lets it. The last answer is given back, whatever
 * it says.
 *
 * @throws NoAnswerError when the last try had none; MarqueeError when it is redirected; the reason of the caller's signal
 *   when it was given up.
 */
export const send = async (options: SendOptions): Promise<Response> => {
  const { limit, isRepeatable, method, url } = options;
  for (let tried = 1; ; tried++) {
    let answer: Response | undefined;
    let cause: unknown;
    try {
      answer = await tryOnce(options);
    } catch (error) {
      if (limit.signal.aborted && !limit.isOver()) throw limit.signal.reason;
      cause = error === timeOver ? new Error('It came too late') : error;
    }
    if (answer !== undefined && isRedirect(answer)) {
      const target = answer.headers.get('location') ?? 'another address';
      throw new MarqueeError(`${method} ${url} is redirected to ${target}, which is not followed`);
    }
    if (answer !== undefined && !(isRepeatable && (await isPassing(answer)))) return answer;
    const wait = waitBefore(tried, answer && retryAfterSecondsOf(answer.headers));
    const isLast = !isRepeatable || wait >= limit.leftMilliseconds() || !(await pause(wait, limit));
    if (isLast && answer !== undefined) return answer;
    if (isLast) throw new NoAnswerError(`No answer to ${method} ${url}`, { cause });
  }
};
