/**
 * Reads the answers to a batch as endpoints write them. Where they deviate from JSON-RPC 2.0 and the meaning is clear,
 * the answer counts.
 */
import * as z from 'zod';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

/** For an error without a code. JSON-RPC does not use it. */
const noCode = 0;

const codeSchema = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,9}$/)
      .transform(Number),
  ])
  .catch(noCode);

/** Proxies in front of nodes send errors that are text alone. Infura has the reason in `details`. */
const errorSchema = z.union([
  z.string().transform((message): RpcError => ({ code: noCode, message })),
  z
    .object({
      code: codeSchema,
      message: z.string().optional().catch(undefined),
      details: z.string().optional().catch(undefined),
      data: z.unknown().optional(),
    })
    .transform(({ code, message, details, data }): RpcError => {
      const said = [message, details].filter((text) => text !== undefined && text !== '').join(': ');
      return { code, message: said || `error ${code}`, ...(data !== undefined && { data }) };
    }),
]);

/** The id of an error about the whole batch is null, or absent. */
const entrySchema = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  result: z.unknown().optional(),
  error: errorSchema.nullish(),
});
type Entry = z.output<typeof entrySchema>;

const entriesSchema = z.union([z.array(entrySchema), entrySchema.transform((entry) => [entry])]);

/** `"error": null` beside a result is no error. Alone, it is no answer: a result that is missing says nothing. */
const answerOf = (entry: Entry): RpcAnswer | undefined => {
  if (entry.error !== undefined && entry.error !== null) return { error: entry.error };
  return Object.hasOwn(entry, 'result') ? { result: entry.result } : undefined;
};

export type ReadAnswers = { readonly answers: readonly RpcAnswer[] } | { readonly fault: string };

/** The answers to requests whose ids are their positions, or why there is not one answer to each of them. */
export const answersIn = (body: unknown, methods: readonly string[]): ReadAnswers => {
  const entries = entriesSchema.safeParse(body);
  if (!entries.success) return { fault: 'answer is not JSON-RPC' };
  const byId = new Map<string, RpcAnswer>();
  for (const entry of entries.data) {
    const answer = answerOf(entry);
    const id = String(entry.id);
    if (answer === undefined) continue;
    const method = methods[Number(id)];
    if (byId.has(id) && method !== undefined) return { fault: `answers ${method} twice` };
    byId.set(id, answer);
  }
  const answers = methods.map((_, index) => byId.get(String(index)));
  const missing = answers.indexOf(undefined);
  if (missing < 0) return { answers: answers.filter((answer) => answer !== undefined) };
  // An endpoint that refuses the batch gives one error, with the id of any request or of none.
  const errors = entries.data.flatMap(({ error }) => (error ? [error.message] : []));
  return { fault: errors[0] ?? `no answer to ${methods[missing]}` };
};

/** Whether a body that came with a status of failure still has answers to single requests. */
export const isOfRequests = (body: unknown): boolean =>
  entriesSchema.safeParse(body).data?.some(({ error }) => error !== undefined && error !== null) === true;

/** Why a server refused the request, in a body of any form. `undefined` if the body does not say it. */
export const reasonIn = (text: string): string | undefined => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const isPage = /^\s*</.test(text);
    return isPage || text.trim() === '' ? undefined : text.trim();
  }
  const entries = z.object({ error: errorSchema }).array().safeParse([body].flat());
  if (entries.success && entries.data[0] !== undefined) return entries.data[0].error.message;
  const proxy = z.object({ message: z.string().min(1) }).safeParse(body);
  return proxy.success ? proxy.data.message : undefined;
};

/** Shorter parts of a URL, such as `v2` and `polygon`, are no keys. */
const shortestKey = 12;

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Text of an endpoint without the keys in the endpoint's URL, which the endpoint may repeat. */
export const withoutKeys = (text: string, url: string): string => {
  const parsed = URL.parse(url);
  if (parsed === null) return text;
  const { pathname, searchParams, username, password } = parsed;
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password];
  const keys = parts.flatMap((part) => [part, decoded(part)]).filter(({ length }) => length >= shortestKey);
  return keys.reduce((shown, key) => shown.replaceAll(key, '…'), text);
};

const longestReason = 200;

/** A reason of an endpoint for a log or a terminal: in one line, short, and without keys. */
export const reasonToLog = (text: string, url: string): string =>
  withoutKeys(text, url)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .slice(0, longestReason);
