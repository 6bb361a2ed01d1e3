import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import * as z from 'zod';
import type { EngineClock } from '../../clock.ts';
import { ServiceFault } from '../service-fault.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FauxqsCalls {
  sqs(operation: string, input: unknown, signal?: AbortSignal): Promise<WireAnswer>;
  sns(parameters: URLSearchParams): Promise<WireAnswer>;
}

/** fauxqs runs in a thread of its own, so that its disk writes do not block other engines. */
export interface Fauxqs extends FauxqsCalls {
  stop(): Promise<void>;
}

const ready = z.object({ port: z.int() });

const visibility = z.looseObject({ VisibilityTimeout: z.number() });
const visibilityBatch = z.looseObject({ Entries: z.array(visibility) });

/**
 * fauxqs cannot make a message visible immediately, because it then sets the receive count to NULL, which its own table
 * refuses. A timeout of one millisecond works.
 */
const notAtOnce = (entry: z.infer<typeof visibility>) =>
  entry.VisibilityTimeout === 0 ? { ...entry, VisibilityTimeout: 0.001 } : entry;
const withoutZeroVisibility = (operation: string, input: unknown): unknown => {
  if (operation === 'ChangeMessageVisibility') {
    const parsed = visibility.safeParse(input);
    if (parsed.success) return notAtOnce(parsed.data);
  }
  if (operation === 'ChangeMessageVisibilityBatch') {
    const parsed = visibilityBatch.safeParse(input);
    if (parsed.success) return { ...parsed.data, Entries: parsed.data.Entries.map(notAtOnce) };
  }
  return input;
};

export const startFauxqsThread = async (
  dataDirectory: string,
  { ahead }: Pick<EngineClock, 'ahead'>,
): Promise<Fauxqs> => {
  const worker = new Worker(new URL('./fauxqs-worker.ts', import.meta.url), {
    workerData: { dataDirectory, ahead },
  });
  const [message] = await once(worker, 'message');
  const { port } = ready.parse(message);
  // Connections are unlimited, because each long poll holds one for up to 20 s.
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: null, pipelining: 1 });

  const post = async (
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ): Promise<WireAnswer> => {
    const answer = await pool.request({
      method: 'POST',
      path: '/',
      headers,
      body,
      ...(signal && { signal }),
    });
    const kept = ['content-type', 'x-amzn-query-error'].flatMap((name) => {
      const value = answer.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return { status: answer.statusCode, headers: Object.fromEntries(kept), body: await answer.body.text() };
  };

  return {
    sqs: (operation, input, signal) =>
      post(
        { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
        JSON.stringify(withoutZeroVisibility(operation, input)),
        signal,
      ),
    sns: (parameters) => post({ 'content-type': 'application/x-www-form-urlencoded' }, parameters.toString()),
    async stop() {
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      await exited;
      await pool.destroy();
    },
  };
};

const sqsError = z.looseObject({ __type: z.string(), message: z.string().optional() });

/** Returns the body of the response. Throws a `ServiceFault` if the response is an error. */
export const sqsResult = (answer: WireAnswer): unknown => {
  const body: unknown = answer.body === '' ? {} : JSON.parse(answer.body);
  if (answer.status < 400) return body;
  const { __type, message } = sqsError.parse(body);
  throw new ServiceFault({
    code: __type.split('#').at(-1) ?? __type,
    message: message ?? __type,
    status: answer.status,
  });
};

/**
 * The text of the first element with that name. fauxqs's XML is flat and escapes only five characters, so this
 * suffices.
 */
export const xmlText = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

/** Returns the body of the response. Throws a `ServiceFault` if the response is an error. */
export const snsResult = (answer: WireAnswer): string => {
  if (answer.status < 400) return answer.body;
  throw new ServiceFault({
    code: xmlText(answer.body, 'Code') ?? 'InternalError',
    message: xmlText(answer.body, 'Message') ?? '',
    status: answer.status,
  });
};
