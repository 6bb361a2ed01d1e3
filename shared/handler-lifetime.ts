/** Longest life of a handler behind a gateway: its function's timeout. */
export const handlerLifetimeMilliseconds = 10_000;
