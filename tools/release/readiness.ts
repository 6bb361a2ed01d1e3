import { setTimeout } from 'node:timers/promises';
import { checkNotifications } from '../../operator/platform/smoke/notifications.ts';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';

/** API Gateway knows a new key everywhere after about a minute. */
const keyMinutes = 2;
/** SNS uses a new filter everywhere after at most 15 minutes. */
const filterMinutes = 15;
/** A key is known if this many calls in a row are accepted: they meet different servers. */
const acceptedInRow = 3;
const timeoutMilliseconds = 35_000;

export interface ReadinessDependencies {
  readonly say: (remark: string) => void;
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the time in milliseconds */
  readonly clock?: () => number;
  /** @default two seconds */
  readonly pause?: () => Promise<unknown>;
}

interface Waiting {
  readonly minutes: number;
  /** What is waited for, as a sentence goes on after `until`. */
  readonly until: string;
  /** Returns `undefined` if it is so, otherwise why not. */
  readonly look: () => Promise<string | undefined>;
}

/** @throws OperatorError with the last reason when the time is over. */
const waitFor = async (
  { say, clock = Date.now, pause = () => setTimeout(2_000) }: ReadinessDependencies,
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
  dependencies: ReadinessDependencies,
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

/**
 * Waits until SNS passes notifications to a new endpoint, by sending test notifications. Until then, SNS can lose any other
 * notification, too.
 */
export const waitForFilter = (
  dependencies: ReadinessDependencies,
  stage: { readonly b2bUrl: string; readonly apiKey: string },
): Promise<void> =>
  waitFor(dependencies, {
    minutes: filterMinutes,
    until: 'SNS passes notifications to the new endpoint',
    look: async () => {
      const { fetch, pause } = dependencies;
      const { faults } = await checkNotifications(
        { ...(fetch && { fetch }), ...(pause && { pause }) },
        stage,
      );
      return faults.length === 0 ? undefined : `The last test notification: ${faults.join('; ')}.`;
    },
  });
