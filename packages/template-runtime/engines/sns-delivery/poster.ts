import { STATUS_CODES } from 'node:http';
import { rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';
import type { HttpMessage } from './message.ts';

/** `response` is the reason phrase of the status, or the error when there was no response. */
export type Outcome = { readonly response: string } & (
  | { readonly kind: 'delivered'; readonly status: number }
  /** 5xx, 429, a timeout or a failed connection: SNS retries. */
  | { readonly kind: 'failed'; readonly status?: number }
  /** Any other status: SNS does not retry. */
  | { readonly kind: 'refused'; readonly status: number }
);

export interface Poster {
  post(endpoint: string, message: HttpMessage): Promise<Outcome>;
  stop(): Promise<void>;
}

/** How long SNS waits for a receiver's response ("Amazon SNS message delivery retries"). */
export const snsTimeoutMilliseconds = 15_000;

const outcomeOf = (status: number): Outcome => {
  const answer = { status, response: STATUS_CODES[status] ?? '' };
  if (status >= 200 && status < 300) return { kind: 'delivered', ...answer };
  const isRetried = status === 429 || status >= 500 || status < 200;
  return { kind: isRetried ? 'failed' : 'refused', ...answer };
};

/** Turns the credentials in `https://user:password@host/` into a header for basic authentication, as SNS does. */
const target = (
  endpoint: string,
): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } => {
  const url = new URL(endpoint);
  if (url.username === '') return { url, headers: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
};

/** Does not follow redirects. Trusts the public certificate authorities and those in `authorities`. */
export const createPoster = ({
  authorities,
  timeoutMilliseconds,
}: {
  readonly authorities: readonly string[];
  readonly timeoutMilliseconds: number;
}): Poster => {
  const agent = new Agent({
    allowH2: false,
    connect: { ca: [...rootCertificates, ...authorities], timeout: timeoutMilliseconds },
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 4_000,
  });

  return {
    async post(endpoint, { headers, body }) {
      try {
        const { url, headers: credentials } = target(endpoint);
        const answer = await request(url, {
          dispatcher: agent,
          method: 'POST',
          headers: { ...headers, ...credentials },
          body,
          signal: AbortSignal.timeout(timeoutMilliseconds),
        });
        await answer.body.dump();
        return outcomeOf(answer.statusCode);
      } catch (error) {
        return { kind: 'failed', response: error instanceof Error ? error.message : String(error) };
      }
    },
    stop: () => agent.destroy(),
  };
};
