import { AsyncLocalStorage } from 'node:async_hooks';

interface Deadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly endsAt: number;
  readonly end: () => void;
}

const deadlines = new AsyncLocalStorage<Deadline>();

/**
 * Runs `work` with a deadline. At the deadline, every call that `work` makes to another service is aborted: the
 * adapters for these services read the deadline from the async context. A nested deadline can only be earlier than the
 * outer one. Work that does not serve a request, such as waiting for transactions, has no deadline.
 */
export const withDeadline = async <Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  const outer = deadlines.getStore();
  const ending = new AbortController();
  const end = (): void =>
    ending.abort(new DOMException('The deadline of the request has passed', 'TimeoutError'));
  const left = Math.max(0, milliseconds);
  const timer = setTimeout(end, left).unref();
  const deadline =
    outer === undefined
      ? { signal: ending.signal, endsAt: Date.now() + left, end }
      : {
          signal: AbortSignal.any([outer.signal, ending.signal]),
          endsAt: Math.min(outer.endsAt, Date.now() + left),
          end,
        };
  try {
    return await deadlines.run(deadline, work);
  } finally {
    clearTimeout(timer);
  }
};

/** The signal that aborts at the current request's deadline. `undefined` if there is no deadline. */
export const deadlineSignal = (): AbortSignal | undefined => {
  const deadline = deadlines.getStore();
  // When a process goes on after it was suspended, answers that have arrived come before timers that are due.
  if (deadline !== undefined && Date.now() >= deadline.endsAt) deadline.end();
  return deadline?.signal;
};

/** A signal that aborts after `milliseconds`, or at the request's deadline if that is earlier. */
export const callSignal = (milliseconds: number): AbortSignal => {
  const deadline = deadlineSignal();
  const timeout = AbortSignal.timeout(milliseconds);
  return deadline === undefined ? timeout : AbortSignal.any([timeout, deadline]);
};
