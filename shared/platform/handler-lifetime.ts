/** The timeout of every function behind API Gateway. */
export const handlerLifetimeMilliseconds = 10_000;
