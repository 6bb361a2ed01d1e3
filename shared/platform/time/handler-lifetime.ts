import { patient } from './patience.ts';

/** The timeout that the template gives to every function behind API Gateway. */
export const handlerTimeoutMilliseconds = 10_000;

/** How long such a function can work on a request. */
export const handlerLifetimeMilliseconds = patient(handlerTimeoutMilliseconds);
