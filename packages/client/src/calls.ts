import { apiErrorOf } from './errors.ts';
import type { paths } from './generated/schema.ts';

/** What a list may be asked for. */
export type Query<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Given } };
}
  ? Omit<NonNullable<Given>, 'cursor'>
  : never;

export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /**
   * What this write is known by, such as an order's id: the same key makes the same thing once, also after a crash of
   * yours. @default one that is kept for this call only
   */
  readonly idempotencyKey?: string;
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

export const answered = async <Data>(call: Promise<Answer<Data>>): Promise<Data> => {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw apiErrorOf(response, error);
};

export const pageOf = async <Item>(call: Promise<Answer<Item[]>>) => {
  const answer = await call;
  return { items: await answered(Promise.resolve(answer)), headers: answer.response.headers };
};

export const signalOf = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal });

export const keyOf = ({ idempotencyKey }: WriteOptions) =>
  idempotencyKey === undefined ? {} : { header: { 'Idempotency-Key': idempotencyKey } };
