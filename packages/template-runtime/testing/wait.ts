import { setTimeout as delay } from 'node:timers/promises';
import { describeStarvation, measureStarvation } from './starvation.ts';

export interface WaitOptions {
  /** Milliseconds between two looks at the condition. @default 50 */
  readonly interval?: number;
  /** Milliseconds. Only a test about the wait itself, or of a drill, needs another. @default two minutes */
  readonly timeout?: number;
}

/** Longer than anything takes on a busy machine: it only ends waits for what never comes. */
const patienceMilliseconds = 120_000;

/** The error of a wait whose condition did not come true. The cause is the condition's last error. */
class WaitError extends Error {
  override readonly name = 'WaitError';
}

/**
 * Waits until the condition no longer throws, and returns its result. If it never does, the error names the condition's
 * last error, and how starved the process was meanwhile.
 */
export const waitFor = async <Result>(
  condition: () => Result | Promise<Result>,
  { interval = 50, timeout = patienceMilliseconds }: WaitOptions = {},
): Promise<Result> => {
  const starvation = measureStarvation();
  const giveUpAt = performance.now() + timeout;
  const limit = Promise.withResolvers<never>();
  let last: unknown = new Error('the condition was never decided');
  const timer = setTimeout(() => limit.reject(last), timeout);
  limit.promise.catch(() => {});
  try {
    for (;;) {
      try {
        return await Promise.race([condition(), limit.promise]);
      } catch (error) {
        last = error;
      }
      if (performance.now() >= giveUpAt) break;
      await Promise.race([delay(interval), limit.promise.catch(() => {})]);
    }
  } finally {
    clearTimeout(timer);
  }
  throw explained(last, describeStarvation(starvation()));
};

/**
 * Waits until the condition returns something truthy, and returns it.
 *
 * @public
 */
export const waitUntil = async <Result>(
  condition: () => Result | Promise<Result>,
  options?: WaitOptions,
): Promise<Exclude<Result, false | undefined | null | 0 | ''>> =>
  (await waitFor(async () => {
    const result = await condition();
    if (!result) throw new Error(`the condition is still ${String(result)}: ${condition}`);
    return result;
  }, options)) as Exclude<Result, false | undefined | null | 0 | ''>;

/** An assertion's error keeps its difference of values. */
const explained = (cause: unknown, why: string): unknown => {
  if (!(cause instanceof Error)) return new WaitError(`${String(cause)} (${why})`, { cause });
  cause.message = `${cause.message} (${why})`;
  return cause;
};
