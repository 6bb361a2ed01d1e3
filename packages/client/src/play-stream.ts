import type { Call, CallOptions } from './calls.ts';
import { pause, startLimit } from './retry.ts';

/** The longest delay of a timer, about 24 days. */
const longestMilliseconds = 2 ** 31 - 1;

/** No answer makes the client ask again sooner, whatever its times are. */
const leastPauseMilliseconds = 3_000;

/** A renewal that begins just before the signature expires still has the time to be refused with a reason. */
const leastTimeoutMilliseconds = 10_000;

interface Renewable {
  readonly expires_at: string | null;
  readonly renew_at?: string | undefined;
  readonly continuation?: string | undefined;
}

interface Continued extends CallOptions {
  readonly continuation?: string | undefined;
  readonly takeOver?: string | undefined;
}

/**
 * Yields a stream, and yields it again after each renewal. Ends after the first answer if nothing has to be renewed. If
 * the service or the network fails, a renewal is retried until the signature expires.
 *
 * The times in an answer are compared with its `Date`, because the clocks of televisions and phones are often wrong.
 */
export async function* renewed<Stream extends Renewable, Options extends Continued>(
  ask: (options: Options) => Call<Stream>,
  options: Options,
): AsyncGenerator<Stream, void, undefined> {
  let answered = await ask(options).withResponse();
  for (;;) {
    const { data: stream, response } = answered;
    const answeredAt = Date.now();
    yield stream;
    const { renew_at: renewAt, expires_at: expiresAt } = stream;
    if (renewAt === undefined || expiresAt === null) return;
    const said = Date.parse(response.headers.get('date') ?? '');
    const ahead = Number.isNaN(said) ? 0 : answeredAt - said;
    const renewsAt = Math.max(Date.parse(renewAt) + ahead, answeredAt + leastPauseMilliseconds);
    await waitUntil(renewsAt, options.signal);
    const left = Date.parse(expiresAt) + ahead - Date.now();
    const { continuation = options.continuation } = stream;
    const next = { ...options, continuation, takeOver: undefined };
    const timeout = Math.max(left, leastTimeoutMilliseconds);
    answered = await ask(left > 0 ? { ...next, timeout } : next).withResponse();
  }
}

/** @throws the signal's reason when it aborts. */
const waitUntil = async (moment: number, signal: AbortSignal | undefined): Promise<void> => {
  const limit = startLimit(longestMilliseconds, signal);
  try {
    await pause(Math.min(Math.max(0, moment - Date.now()), longestMilliseconds), limit);
  } finally {
    limit.release();
  }
};
