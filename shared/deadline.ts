import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs `work` with a deadline. At the deadline, every outside call of `work` is aborted: adapters read the deadline
 * from the async context. A nested deadline can only be earlier than the outer one. Work without a request, such as the
 * waiter's, has no deadline.
 */
export const withDeadline = async <Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const outer = deadlineSignal();
  const ending = new AbortController();
  const timer = setTimeout(
    () => ending.abort(new DOMException('The deadline of the request has passed', 'TimeoutError')),
    Math.max(0, milliseconds),
  ).unref();
  try {
    return await signals.run(
      outer === undefined ? ending.signal : AbortSignal.any([outer, ending.signal]),
      work,
    );
  } finally {
    clearTimeout(timer);
  }
};

/** Aborts when the current request's time is over. `undefined` without a deadline. */
export const deadlineSignal = (): AbortSignal | undefined => signals.getStore();

/** Aborts after `milliseconds`, or at the request's deadline if that is earlier. */
export const callSignal = (milliseconds: number): AbortSignal => {
  const deadline = deadlineSignal();
  const timeout = AbortSignal.timeout(milliseconds);
  return deadline === undefined ? timeout : AbortSignal.any([timeout, deadline]);
};
