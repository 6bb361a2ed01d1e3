import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs `work` with a deadline. At the deadline, every call that `work` makes to another service is aborted: the
 * adapters for these services read the deadline from the async context. A nested deadline can only be earlier than the
 * outer one. Work that does not serve a request, such as waiting for transactions, has no deadline.
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

/** The signal that aborts at the current request's deadline. `undefined` if there is no deadline. */
export const deadlineSignal = (): AbortSignal | undefined => signals.getStore();

/** A signal that aborts after `milliseconds`, or at the request's deadline if that is earlier. */
export const callSignal = (milliseconds: number): AbortSignal => {
  const deadline = deadlineSignal();
  const timeout = AbortSignal.timeout(milliseconds);
  return deadline === undefined ? timeout : AbortSignal.any([timeout, deadline]);
};
