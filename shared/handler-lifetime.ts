/** The timeout of every function behind a gateway. */
export const handlerLifetimeMilliseconds = 10_000;
