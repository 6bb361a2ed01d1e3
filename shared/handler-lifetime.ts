/** Longest life of a handler that a gateway waits for: the time-out of its function. */
export const handlerLifetimeMilliseconds = 10_000;
