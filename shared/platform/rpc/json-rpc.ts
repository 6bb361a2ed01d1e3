/**
 * JSON-RPC 2.0 over HTTP, always as a batch: a batch reaches one node, so all its answers show the same state of the
 * chain.
 */

import * as z from 'zod';
import { callSignal, deadlineSignal } from '../deadline.ts';
import { httpPoster } from '../outside/http-poster.ts';

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

/**
 * The endpoint gave no usable answer. `unauthorized`: whether the endpoint refused the credentials in its URL.
 * `silentMilliseconds`: how long the endpoint was silent before the timeout, or 0 if there was no timeout. The message
 * never contains the URL, because the URL may contain an API key.
 */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly unauthorized: boolean;
  readonly silentMilliseconds: number;

  constructor({
    message,
    unauthorized = false,
    silentMilliseconds = 0,
    cause,
  }: { message: string; unauthorized?: boolean; silentMilliseconds?: number; cause?: unknown }) {
    super(message, { cause });
    this.unauthorized = unauthorized;
    this.silentMilliseconds = silentMilliseconds;
  }
}

/**
 * The maximum number of requests in a batch. Providers' paid plans accept a hundred or more. Longer lists are split.
 */
export const batchLimit = 100;

const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const answerSchema = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: errorSchema.optional(),
});
const bodySchema = z.union([
  z.array(answerSchema),
  // An endpoint that refuses the whole batch answers with one object whose id is null.
  z.object({ error: errorSchema }),
]);

interface EndpointCall {
  readonly url: string;
  readonly requests: readonly RpcRequest[];
  readonly timeoutMilliseconds: number;
}

/** Sends one batch to an endpoint and returns the parsed body of its response. @throws EndpointError */
export type RpcExchange = (call: EndpointCall) => Promise<unknown>;

/** The answers, in the order of the requests. @throws EndpointError */
export async function callEndpoint({
  exchange,
  ...call
}: EndpointCall & { readonly exchange: RpcExchange }): Promise<readonly RpcAnswer[]> {
  const { requests } = call;
  const body = bodySchema.safeParse(await exchange(call));
  if (!body.success) throw new EndpointError({ message: 'answer is not JSON-RPC' });
  if (!Array.isArray(body.data)) throw new EndpointError({ message: body.data.error.message });

  const answers = new Map(body.data.map((answer) => [answer.id, answer]));
  return requests.map((request, id) => {
    const answer = answers.get(id);
    if (answer === undefined) throw new EndpointError({ message: `no answer to ${request.method}` });
    return answer.error === undefined ? { result: answer.result } : { error: answer.error };
  });
}

/**
 * How long an unused connection is kept. It is short, because the network may drop connections while Lambda freezes a
 * function.
 */
const idleMilliseconds = 4_000;

/** Some providers' firewalls reject requests without a user agent. */
const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'marquee' };

const connections = { timeout: idleMilliseconds, maxSockets: Number.POSITIVE_INFINITY };

// Redirects are not followed: they would send the signed transaction to a host that is not configured.
const post = httpPoster({ httpAgent: connections, httpsAgent: connections });

export const exchangeOverHttp: RpcExchange = async ({ url, requests, timeoutMilliseconds }) => {
  const abortSignal = callSignal(timeoutMilliseconds);
  try {
    const { status, text } = await post({
      url: new URL(url),
      headers,
      body: JSON.stringify(
        requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })),
      ),
      abortSignal,
    });
    // Some providers answer with status 400 if a request of the batch fails. The body says which request failed.
    if ((status < 200 || status > 299) && status !== 400) {
      const unauthorized = status === 401 || status === 403;
      throw new EndpointError({ message: `HTTP ${status}`, unauthorized });
    }
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof EndpointError) throw cause;
    // If the function's own deadline aborted the call, the endpoint may have had too little time. So this does not
    // count as the endpoint's timeout.
    const timedOut = abortSignal.aborted && deadlineSignal()?.aborted !== true;
    throw timedOut
      ? new EndpointError({
          message: `no answer in ${timeoutMilliseconds} ms`,
          silentMilliseconds: timeoutMilliseconds,
          cause,
        })
      : new EndpointError({ message: 'request failed', cause });
  }
};
