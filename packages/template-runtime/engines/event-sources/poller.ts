import { type EngineClock, waitBy } from '../../clock.ts';
import type { DynamoDbEngine } from '../dynamodb/types.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import type { Messaging } from '../messaging/types.ts';
import type { Metrics } from '../metrics/types.ts';

export interface PollerEngines {
  readonly dynamodb: Pick<DynamoDbEngine, 'readStream' | 'latestSequenceNumber'>;
  readonly messaging: Pick<Messaging, 'receive' | 'remove' | 'send' | 'publish'>;
  readonly lambda: Pick<LambdaEngine, 'invoke' | 'describe'>;
  readonly metrics?: Pick<Metrics, 'put'>;
  readonly clock: EngineClock;
  readonly report: (line: string) => void;
}

export class PollerStopped extends Error {
  constructor() {
    super('The poller was stopped');
    this.name = 'PollerStopped';
  }
}

/**
 * Waits for `work`. Rejects with `PollerStopped` if the poller is stopped before `work` ends, but does not stop `work`
 * itself.
 */
export const unlessStopped = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> => {
  if (signal.aborted) throw new PollerStopped();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const stop = (): void => reject(new PollerStopped());
  signal.addEventListener('abort', stop, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  return promise;
};

export const pause = (clock: EngineClock, milliseconds: number, signal: AbortSignal): Promise<void> =>
  unlessStopped(waitBy(clock, milliseconds), signal);

const longestPauseMilliseconds = 10_000;

/** Milliseconds to wait before a retry. Doubles with each attempt, up to `longestPauseMilliseconds`. */
export const backoff = (attempt: number): number => Math.min(100 * 2 ** attempt, longestPauseMilliseconds);

/** Repeats `round` until the poller is stopped. Backs off and retries when `round` fails. */
export const keepPolling = async ({
  name,
  round,
  signal,
  clock,
  report,
}: {
  readonly name: string;
  readonly round: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock: EngineClock;
  readonly report: (line: string) => void;
}): Promise<void> => {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await round();
      failures = 0;
    } catch (error) {
      if (error instanceof PollerStopped || signal.aborted) return;
      if (failures === 0) report(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
      failures += 1;
      await Promise.race([
        waitBy(clock, backoff(failures)),
        new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
      ]);
    }
  }
};
