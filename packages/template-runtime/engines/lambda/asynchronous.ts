import { type EngineClock, waitBy } from '../../clock.ts';

/** Lambda retries a failed asynchronous call after one minute, and once more two minutes later. */
const retryMinutes = [1, 2];
/** Lambda retries a throttled call after one second, then at growing intervals of up to five minutes, for six hours. */
const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 300_000;
const longestWaitMilliseconds = 6 * 3_600_000;

/** Resolves when the function succeeds, when no retries are left, or when the signal aborts. */
export const invokeWithRetries = async ({
  invoke,
  signal,
  clock,
}: {
  readonly invoke: () => Promise<{ readonly ok: boolean; readonly refusal?: string }>;
  readonly signal: AbortSignal;
  readonly clock: EngineClock;
}): Promise<void> => {
  const pause = (milliseconds: number) => waitBy(clock, milliseconds, signal);
  const admitted = async () => {
    for (
      let waited = 0, next = firstPauseMilliseconds;
      ;
      next = Math.min(next * 2, longestPauseMilliseconds)
    ) {
      const result = await invoke();
      if (result.refusal === undefined || waited >= longestWaitMilliseconds) return result;
      await pause(next);
      waited += next;
    }
  };
  try {
    for (const minutes of [...retryMinutes, undefined]) {
      const { ok } = await admitted();
      if (ok || minutes === undefined || signal.aborted) return;
      await pause(minutes * 60_000);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
