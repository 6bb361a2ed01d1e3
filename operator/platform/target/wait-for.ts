import { setTimeout } from 'node:timers/promises';
import { OperatorError } from '../terminal/operator-error.ts';

/** API Gateway knows a new key everywhere after about a minute. */
const keyMinutes = 2;
/** A key is known if this many calls in a row are accepted: they meet different servers. */
const acceptedInRow = 3;
const timeoutMilliseconds = 35_000;

export interface WaitDependencies {
  readonly say: (remark: string) => void;
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the time in milliseconds */
  readonly clock?: () => number;
  /** @default two seconds */
  readonly pause?: () => Promise<unknown>;
}

export interface Waiting {
  readonly minutes: number;
  /** What is waited for, as a sentence goes on after `until`. */
  readonly until: string;
  /** Returns `undefined` if it is so, otherwise why not. */
  readonly look: () => Promise<string | undefined>;
}

/** @throws OperatorError with the last reason when the time is over. */
export const waitFor = async (
  { say, clock = Date.now, pause = () => setTimeout(2_000) }: WaitDependencies,
  { minutes, until, look }: Waiting,
): Promise<void> => {
  say(`Waits until ${until}, for ${minutes} minutes at most.`);
  const end = clock() + minutes * 60_000;
  for (;;) {
    const fault = await look();
    if (fault === undefined) return;
    if (clock() >= end)
      throw new OperatorError({ message: `Not within ${minutes} minutes: ${until}. ${fault}` });
    await pause();
  }
};

/** Waits until API Gateway accepts a new key: before, it answers as if the key were wrong. */
export const waitForKey = (
  dependencies: WaitDependencies,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
): Promise<void> => {
  const { fetch = globalThis.fetch } = dependencies;
  let accepted = 0;
  return waitFor(dependencies, {
    minutes: keyMinutes,
    until: 'API Gateway knows the new key',
    look: async () => {
      const { status, body } = await fetch(`${baseUrl}/api/v1/nft/contracts?limit=1`, {
        headers: { 'x-api-key': apiKey },
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      await body?.cancel();
      accepted = status === 200 ? accepted + 1 : 0;
      return accepted >= acceptedInRow
        ? undefined
        : `The last call with the key was answered with ${status}.`;
    },
  });
};
