import { HttpRequest } from '@smithy/core/transport';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

export interface HttpPost {
  /** Credentials in the URL are sent as Basic authentication. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Limits the whole exchange, including the response body. */
  readonly abortSignal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Posts over persistent connections and does not follow redirects. Node's `fetch` takes half a millisecond longer for
 * each exchange, and 16 ms longer for the first exchange of a function instance.
 */
export const httpPoster = (options: NodeHttpHandlerOptions) => {
  const handler = new NodeHttpHandler(options);
  return async ({ url, headers, body, abortSignal }: HttpPost): Promise<HttpAnswer> => {
    // The handler would treat any other protocol as HTTP.
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`Cannot post with the protocol ${url.protocol}`);
    const request = new HttpRequest({
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      ...(url.username === '' && url.password === ''
        ? {}
        : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body,
    });
    const { response } = await handler.handle(request, abortSignal && { abortSignal });
    return { status: response.statusCode, headers: response.headers, text: await textOf(response.body) };
  };
};

/** Collecting chunks by events is a third faster than iterating over the stream. */
const textOf = (stream: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    stream.on('error', reject);
  });
