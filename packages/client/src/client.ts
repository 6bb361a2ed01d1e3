import { b2bCalls } from './b2b-calls.ts';
import { catalogueCalls } from './catalogue-calls.ts';
import { type ClientOptions, createCaller } from './http.ts';
import { nftCalls } from './nft-calls.ts';
import { viewerCalls } from './viewer-calls.ts';

/**
 * A client of one stage. Each call returns the data of the response. A call throws an `ApiError` if the service refuses
 * the request, and a `NoAnswerError` if no response comes. Requests that are safe to repeat are retried until the
 * deadline, for example after a 429, a 503 or a broken connection. `http` has every call of the OpenAPI document with
 * the interface of `openapi-fetch`, including calls for which this client has no method.
 */
export const createClient = (options: ClientOptions) => {
  const caller = createCaller(options);
  return {
    http: caller.http,
    ...nftCalls(caller),
    ...b2bCalls(caller),
    ...viewerCalls(caller),
    ...catalogueCalls(caller),
  };
};

export type MarqueeClient = ReturnType<typeof createClient>;
