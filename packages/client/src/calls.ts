import { apiErrorOf, MarqueeError } from './errors.ts';
import type { paths } from './generated/schema.ts';

export type Query<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Given } };
}
  ? Omit<NonNullable<Given>, 'cursor'>
  : never;

export interface CallOptions {
  /** Cancels the call immediately. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The longest duration of the call in milliseconds, including its retries and the waits between them. In a list, the
   * limit applies to each page.
   * @default the client's `deadlineMilliseconds`
   */
  readonly timeout?: number | undefined;
  /**
   * Identifies a write, for example by an order's id. Calls with the same key create only one resource, even if your
   * program crashes between them. A call that does not support idempotency keys, such as a read, does not send the key.
   * @default a random key for this call and its retries
   */
  readonly idempotencyKey?: string | undefined;
}

export interface Answered<Data> {
  readonly data: Data;
  /** Status and headers. The body has already been read. */
  readonly response: Response;
}

export interface Call<Data> extends Promise<Data> {
  /** Resolves to the data together with the response's status and headers. */
  withResponse(): Promise<Answered<Data>>;
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

const answerOf = async <Data>(ask: () => Promise<Answer<Data>>): Promise<Answered<Data>> => {
  const { data, error, response } = await ask();
  if (response.ok && data !== undefined) return { data, response };
  throw apiErrorOf(response, error);
};

const callOf = <Data>(answer: Promise<Answered<Data>>): Call<Data> => {
  const data = answer.then((answered) => answered.data);
  return Object.assign(data, {
    withResponse: () => {
      // A caller of `withResponse` may await only `answer`. If the call fails, `data` rejects too, and without this
      // handler, the rejection of `data` would be unhandled.
      data.catch(() => {});
      return answer;
    },
  });
};

/** Resolves to the response's data. Rejects with an `ApiError` if the service refuses the request. */
export const answered = <Data>(ask: () => Promise<Answer<Data>>): Call<Data> => callOf(answerOf(ask));

/** Like `answered`, but resolves only to the part of the data that `partOf` returns. */
export const answeredAs = <Data, Part>(
  ask: () => Promise<Answer<Data>>,
  partOf: (answer: Answered<Data>) => Part,
): Call<Part> =>
  callOf(answerOf(ask).then((answer) => ({ data: partOf(answer), response: answer.response })));

/** For a call whose response has no body. */
export const done = (ask: () => Promise<Answer<unknown>>): Call<void> => {
  const answer = async (): Promise<Answered<void>> => {
    const { error, response } = await ask();
    if (response.ok) return { data: undefined, response };
    throw apiErrorOf(response, error);
  };
  return callOf(answer());
};

export const pageOf = async <Item>(ask: () => Promise<Answer<Item[]>>) => {
  const { data, response } = await answerOf(ask);
  return { items: data, headers: response.headers };
};

export const keyOf = ({ idempotencyKey }: CallOptions) => {
  if (idempotencyKey === undefined) return {};
  // The service treats an empty key as no key, so each call would create a new resource.
  if (!/^[!-~](?:[ -~]{0,253}[!-~])?$/.test(idempotencyKey)) {
    throw new MarqueeError('idempotencyKey must be 1 to 255 printable ASCII characters');
  }
  return { header: { 'Idempotency-Key': idempotencyKey } };
};
