import { setTimeout as delay } from 'node:timers/promises';

/** Lambda tries an asynchronous invocation again after one minute, and then after two. */
const retryMinutes = [1, 2];

/** Ends when the function succeeds, when there are no more tries, or when the signal says so. */
export const invokeWithRetries = async ({
  invoke,
  signal,
}: {
  readonly invoke: () => Promise<{ readonly ok: boolean }>;
  readonly signal: AbortSignal;
}): Promise<void> => {
  for (const minutes of [...retryMinutes, undefined]) {
    const { ok } = await invoke();
    if (ok || minutes === undefined || signal.aborted) return;
    try {
      await delay(minutes * 60_000, undefined, { signal, ref: false });
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }
};
