import { apiErrorOf, MarqueeError } from './errors.ts';
import type { paths } from './generated/schema.ts';

/** What a list may be asked for. */
export type Query<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Given } };
}
  ? Omit<NonNullable<Given>, 'cursor'>
  : never;

/** The same for every call. */
export interface CallOptions {
  /** Gives the call up, at once. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the call, its repetitions and the waits between them; of a list, for each page.
   * @default the client's `deadlineMilliseconds`
   */
  readonly timeout?: number | undefined;
  /**
   * What a write is known by, such as an order's id: the same key makes the same thing once, also after a crash of yours.
   * A call that the service knows by no key, such as a read, is sent without it.
   * @default one that is kept for this call only
   */
  readonly idempotencyKey?: string | undefined;
}

/** What a call answers, with how it was answered. */
export interface Answered<Data> {
  readonly data: Data;
  /** Its status and headers; its body has been read. */
  readonly response: Response;
}

/** A promise of what a call answers. */
export interface Call<Data> extends Promise<Data> {
  /** The same, with the response that it came in. */
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
      // Who asks for both hears of a failure by this promise alone.
      data.catch(() => {});
      return answer;
    },
  });
};

/** @throws ApiError when the answer refuses. */
export const answered = <Data>(ask: () => Promise<Answer<Data>>): Call<Data> => callOf(answerOf(ask));

/** The same, of a part of the answer. */
export const answeredAs = <Data, Part>(
  ask: () => Promise<Answer<Data>>,
  partOf: (answer: Answered<Data>) => Part,
): Call<Part> =>
  callOf(answerOf(ask).then((answer) => ({ data: partOf(answer), response: answer.response })));

/** Of a call whose answer has no body. */
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
  // An empty one would be none, and its write a new one each time.
  if (!/^[!-~](?:[ -~]{0,253}[!-~])?$/.test(idempotencyKey)) {
    throw new MarqueeError('idempotencyKey is not 1 to 255 printable ASCII characters');
  }
  return { header: { 'Idempotency-Key': idempotencyKey } };
};
