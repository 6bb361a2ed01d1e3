import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Does the work with a deadline that every call to the outside made for it ends with, however deep in the work it is
 * made: the adapters ask for it. Within another one it can only be sooner. What is made for no request, such as the waiter's work, has none.
 */
export const withDeadline = async <Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const outer = deadlineSignal();
  const ending = new AbortController();
  const timer = setTimeout(
    () => ending.abort(new DOMException('The time of the request is over', 'TimeoutError')),
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

/** Aborts when the time of the request that is being worked for is over. */
export const deadlineSignal = (): AbortSignal | undefined => signals.getStore();

/** Aborts after `milliseconds`, or before that with the request. */
export const callSignal = (milliseconds: number): AbortSignal => {
  const deadline = deadlineSignal();
  const timeout = AbortSignal.timeout(milliseconds);
  return deadline === undefined ? timeout : AbortSignal.any([timeout, deadline]);
};
