import { type EngineClock, waitBy } from '../../clock.ts';
import type { AsynchronousSettings, InvocationResult } from './types.ts';

/** Lambda retries a failed asynchronous call after one minute, and once more two minutes later. */
const retryMinutes = [1, 2];
/** Lambda retries a throttled call after one second, then at growing intervals of up to five minutes. */
const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 300_000;

/** Settings of a function without an `EventInvokeConfig`. */
export const defaultSettings: AsynchronousSettings = {
  maximumRetryAttempts: retryMinutes.length,
  maximumAgeSeconds: 6 * 3_600,
};

/** A call that Lambda gave up, with the result of its last attempt if the function ran at all. */
export interface Discarded {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded' | 'ZeroReservedConcurrency';
  readonly invokeCount: number;
  readonly result?: InvocationResult;
}

/**
 * Resolves to `undefined` when the function has succeeded, or to the reason why Lambda gave up. Rejects with the
 * signal's reason if the signal is aborted before.
 */
export const invokeWithRetries = async ({
  invoke,
  settings: { maximumRetryAttempts, maximumAgeSeconds },
  isSwitchedOff,
  signal,
  clock,
}: {
  readonly invoke: () => Promise<InvocationResult>;
  readonly settings: AsynchronousSettings;
  /** Whether nothing is reserved for the function, so that it must not run. */
  readonly isSwitchedOff: () => boolean;
  readonly signal: AbortSignal;
  readonly clock: EngineClock;
}): Promise<Discarded | undefined> => {
  const expiresAt = clock.now() + maximumAgeSeconds * 1000;
  let throttledPause = firstPauseMilliseconds;
  let failures = 0;
  let last: { readonly result?: InvocationResult } = {};
  for (;;) {
    if (isSwitchedOff()) return { condition: 'ZeroReservedConcurrency', invokeCount: failures, ...last };
    const result = await invoke();
    signal.throwIfAborted();
    if (result.ok) return undefined;
    let pause = throttledPause;
    if (result.refusal === undefined) {
      last = { result };
      failures += 1;
      if (failures > maximumRetryAttempts) {
        return { condition: 'RetriesExhausted', invokeCount: failures, ...last };
      }
      pause = (retryMinutes[failures - 1] ?? 0) * 60_000;
    } else throttledPause = Math.min(throttledPause * 2, longestPauseMilliseconds);
    if (clock.now() + pause >= expiresAt) {
      return { condition: 'EventAgeExceeded', invokeCount: failures, ...last };
    }
    await waitBy(clock, pause, signal);
  }
};

/** The error of a call that failed, as Lambda passes it on. */
export const errorPayload = (result: Extract<InvocationResult, { readonly ok: false }>) => ({
  errorType: result.errorType,
  errorMessage: result.errorMessage,
  trace: result.stackTrace ?? [],
});

/** What Lambda sends to an on-failure destination ("Capturing records of Lambda asynchronous invocations"). */
export const invocationRecord = ({
  discarded: { condition, invokeCount, result },
  functionArn,
  event,
  now,
}: {
  readonly discarded: Discarded;
  readonly functionArn: string;
  readonly event: unknown;
  readonly now: number;
}): string =>
  JSON.stringify({
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: {
      ...(result && { requestId: result.requestId }),
      functionArn: `${functionArn}:$LATEST`,
      condition,
      approximateInvokeCount: invokeCount,
    },
    requestPayload: event ?? null,
    ...(result?.ok === false && {
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: errorPayload(result),
    }),
  });
