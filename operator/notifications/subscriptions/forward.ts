import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { UsageError } from '../../platform/terminal/operator-error.ts';

/** SNS waits this long for an endpoint's answer. */
const timeoutMilliseconds = 15_000;

/** Only this machine: a message and its headers must not reach a server of somebody else. */
const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** @throws UsageError unless it is an http address of this machine. */
export const forwardTarget = (address: string): URL => {
  const url = URL.parse(address);
  if (url?.protocol === 'http:' && loopback.includes(url.hostname) && url.username === '') return url;
  throw new UsageError({
    message: `--forward-to needs an http address of this machine, such as http://127.0.0.1:3001/hook, and not ${address}.`,
  });
};

/** What the endpoint answered, or why it did not. */
export type Forwarded = { readonly milliseconds: number } & (
  | { readonly status: number; readonly reason: string }
  | { readonly status: undefined; readonly error: string }
);

export type Forward = (message: {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}) => Promise<Forwarded>;

/**
 * Passes a POST of SNS on with its headers and body as they are. Only `Host` names the endpoint. Follows no redirects.
 */
export const forwardTo =
  (target: URL): Forward =>
  async ({ headers, body }) => {
    const startedAt = performance.now();
    const milliseconds = () => Math.round(performance.now() - startedAt);
    try {
      const sent = request(target, {
        method: 'POST',
        headers: { ...headers, host: target.host },
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return {
        status: answer.statusCode ?? 0,
        reason: answer.statusMessage ?? '',
        milliseconds: milliseconds(),
      };
    } catch (error) {
      return {
        status: undefined,
        error: error instanceof Error ? error.message : String(error),
        milliseconds: milliseconds(),
      };
    }
  };

/** In place of an answer that does not come, so that SNS sends the message again. */
export const statusFor = ({ status }: Forwarded): number => status ?? 502;

export const forwardedText = (forwarded: Forwarded): string =>
  `${forwarded.status === undefined ? `no answer (${forwarded.error})` : `answered ${forwarded.status} ${forwarded.reason}`.trimEnd()} after ${forwarded.milliseconds} ms`;
