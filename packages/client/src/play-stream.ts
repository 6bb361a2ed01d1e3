import type { CallOptions } from './calls.ts';
import { pause, startLimit } from './retry.ts';

/** The longest delay of a timer, about 24 days. */
const longestMilliseconds = 2 ** 31 - 1;

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
 */
export async function* renewed<Stream extends Renewable, Options extends Continued>(
  ask: (options: Options) => Promise<Stream>,
  options: Options,
): AsyncGenerator<Stream, void, undefined> {
  let stream = await ask(options);
  for (;;) {
    yield stream;
    const { renew_at: renewAt, expires_at: expiresAt } = stream;
    if (renewAt === undefined || expiresAt === null) return;
    await waitUntil(Date.parse(renewAt), options.signal);
    const left = Date.parse(expiresAt) - Date.now();
    const { continuation = options.continuation } = stream;
    const next = { ...options, continuation, takeOver: undefined };
    stream = await ask(left > 0 ? { ...next, timeout: left } : next);
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
