/**
 * JSON-RPC 2.0 over HTTP, always as a batch: a batch reaches one node, so all its answers show the same state of the
 * chain.
 */

import { callSignal, deadlineSignal } from '../../platform/time/deadline.ts';
import { patient } from '../../platform/time/patience.ts';
import { httpPoster } from './http-poster.ts';
import {
  answersIn,
  isOfRequests,
  type RpcAnswer,
  reasonIn,
  reasonToLog,
  withoutKeys,
} from './json-rpc-answers.ts';

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type { RpcAnswer, RpcError } from './json-rpc-answers.ts';

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
/** How long an endpoint has for an answer. */
export const usualTimeoutMilliseconds = patient(2_500);

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
  const { requests, url } = call;
  const methods = requests.map(({ method }) => method);
  const read = answersIn(await exchange(call), methods);
  if ('fault' in read) throw new EndpointError({ message: reasonToLog(read.fault, url) });
  return read.answers.map((answer) =>
    'error' in answer
      ? { error: { ...answer.error, message: withoutKeys(answer.error.message, url) } }
      : answer,
  );
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

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
    const isWell = status >= 200 && status <= 299;
    const body = parsed(text);
    // Some providers answer with status 400 if a request of the batch fails. The body says which request failed.
    if (body !== undefined && (isWell || (status === 400 && isOfRequests(body)))) return body;
    const reason = reasonIn(text);
    const message = [
      ...(isWell ? ['answer is not JSON'] : [`HTTP ${status}`]),
      ...(reason === undefined ? [] : [reasonToLog(reason, url)]),
    ].join(': ');
    throw new EndpointError({ message, unauthorized: status === 401 || status === 403 });
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
