import * as z from 'zod';
import type { Outputs } from '../../local/outputs.ts';
import { UnexpectedError } from './step.ts';

export interface World {
  /** The URLs of the system, which are known after the demo's first step. */
  outputs(): Outputs;
  outputsFile(): string;
  readonly run: string;
  /** Aborted when the time limit has passed or the user interrupts. */
  readonly signal: AbortSignal;
  /**
   * Adds an action that undoes a change. At the end of the walk, all added actions run in reverse order, even if a step
   * has failed.
   */
  atEnd(title: string, undo: () => Promise<unknown>): void;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly url: string;
}

/** Longer than the gateway's limit of 29 s, so that the gateway's own response is shown. */
const answerSeconds = 30;

export const call = async (
  url: string,
  { method, key, token, headers, body, signal }: Call,
): Promise<Answer> => {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerSeconds * 1_000)]),
  });
  return { status: response.status, text: await response.text(), headers: response.headers, url };
};

/**
 * @throws UnexpectedError when the response's status is not `status`, or its body does not fit the schema.
 */
export const bodyOf = <Schema extends z.ZodType>(
  answer: Answer,
  { status, schema }: { readonly status: number; readonly schema: Schema },
): z.output<Schema> => {
  const seen = `${answer.status} ${answer.text} from ${answer.url}`;
  if (answer.status !== status) throw new UnexpectedError({ expected: `status ${status}`, seen });
  const parsed = schema.safeParse(jsonOf(answer.text));
  if (parsed.success) return parsed.data;
  throw new UnexpectedError({ expected: z.prettifyError(parsed.error), seen });
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const applicationOf = (world: World, id: string): Outputs['applications'][number] => {
  const { applications } = world.outputs();
  const found = applications.find((application) => application.id === id);
  if (found !== undefined) return found;
  throw new UnexpectedError({
    expected: `application ${id}, with its key, in the outputs.json that npm start writes`,
    seen: applications.map((application) => application.id),
  });
};

export const logIn = async (
  world: World,
  {
    user,
    clientId,
    loggedInAt,
  }: {
    readonly user: string;
    readonly clientId: string;
    /** In seconds since the epoch. @default now */
    readonly loggedInAt?: number;
  },
): Promise<string> => {
  const answer = await call(`${world.outputs().oidc_issuer}/token`, {
    body: { sub: user, client_id: clientId, auth_time: loggedInAt },
    signal: world.signal,
  });
  return bodyOf(answer, { status: 200, schema: z.object({ access_token: z.string() }) }).access_token;
};
