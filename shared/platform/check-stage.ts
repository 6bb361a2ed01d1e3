import type { Logger } from './logger.ts';
import type { StageFindings } from './watched.ts';

/** A part of the stage that somebody can switch off, and its state. */
export interface PartState {
  readonly part: string;
  readonly state: string;
  readonly isOn: boolean;
}

export interface PublicAddresses {
  readonly base: string;
  readonly b2b: string;
  readonly profile: string;
}

export interface CheckStageDependencies {
  readonly addresses: PublicAddresses;
  /** @throws Error if there is no complete answer in time. */
  readonly get: (
    url: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly text: string }>;
  /** The API key with which the canary calls; `undefined` if it has none. `isAgain`: the last one was refused. */
  readonly apiKey: (isAgain: boolean) => Promise<string | undefined>;
  readonly mappings: () => Promise<readonly PartState[]>;
  readonly schedules: () => Promise<readonly PartState[]>;
  readonly forwardedLogs: () => Promise<readonly PartState[]>;
  readonly keys: () => Promise<readonly PartState[]>;
  readonly findings: (findings: StageFindings) => void;
  readonly logger: Logger;
}

interface PublicCheck {
  readonly url: string;
  readonly status: number;
  /** A text that only the service itself answers. API Gateway answers 403 where an address leads to no API. */
  readonly text: string;
}

/** One call for each API. They need no key and change nothing. */
const checksOf = ({ base, b2b, profile }: PublicAddresses): readonly PublicCheck[] => [
  { url: `${base}/api/v3/ott/events`, status: 200, text: '[' },
  { url: `${b2b}/canary/no-such-route`, status: 404, text: 'NOT_FOUND' },
  { url: `${profile}/user/data`, status: 401, text: '401' },
];

/** Returns what is wrong with the answer, or `undefined`. */
const faultOf = async (
  { get }: Pick<CheckStageDependencies, 'get'>,
  { url, status, text }: PublicCheck,
): Promise<string | undefined> => {
  try {
    const answer = await get(url);
    return answer.status === status && answer.text.includes(text)
      ? undefined
      : `answered ${answer.status} ${answer.text.slice(0, 100)}, expected ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/**
 * One call with a key for each API that wants keys: a usage plan can lack one of them. The application of the key owns
 * nothing, so the answers are empty lists.
 */
const callsWithKey = ({ base, b2b }: PublicAddresses): readonly string[] => [
  `${base}/api/v1/nft/contracts?limit=1`,
  `${b2b}/notifications/endpoints`,
];

/**
 * How many calls with the key are refused; `undefined` if there is no key. Never fails: the other findings must be
 * told.
 */
const refusedKeys = async (dependencies: CheckStageDependencies): Promise<number | undefined> => {
  const { addresses, get, apiKey, logger } = dependencies;
  const faultWith = async (url: string, isAgain: boolean): Promise<string | undefined> => {
    const key = await apiKey(isAgain);
    if (key === undefined) return undefined;
    const { status, text } = await get(url, { 'x-api-key': key });
    return status === 200 ? undefined : `answered ${status} ${text.slice(0, 100)}, expected 200`;
  };
  const isRefused = async (url: string): Promise<boolean> => {
    const attempt = (isAgain: boolean) =>
      faultWith(url, isAgain).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
    if ((await attempt(false)) === undefined) return false;
    const fault = await attempt(true);
    if (fault === undefined) return false;
    logger.error('The API key of the canary is refused', { url, fault });
    return true;
  };
  const refused = await Promise.all(callsWithKey(addresses).map(isRefused));
  const count = refused.filter(Boolean).length;
  if (count > 0) return count;
  return (await apiKey(false).catch(() => undefined)) === undefined ? undefined : 0;
};

/** Checks the stage from outside, as a caller sees it, and what can be switched off without any error. */
export const checkStage = async (dependencies: CheckStageDependencies): Promise<void> => {
  const { addresses, mappings, schedules, forwardedLogs, keys, findings, logger } = dependencies;
  const fails = async (check: PublicCheck): Promise<boolean> => {
    if ((await faultOf(dependencies, check)) === undefined) return false;
    const fault = await faultOf(dependencies, check);
    if (fault === undefined) return false;
    logger.error('A public address does not answer as it should', { url: check.url, fault });
    return true;
  };
  const off = async (states: () => Promise<readonly PartState[]>, message: string): Promise<number> => {
    const found = (await states()).filter(({ isOn }) => !isOn);
    for (const { part, state } of found) logger.error(message, { part, state });
    return found.length;
  };
  const [failed, mappingsOff, schedulesOff, forwardingsOff, KeysUnusable, ApiKeyRefused] = await Promise.all([
    Promise.all(checksOf(addresses).map(fails)),
    off(mappings, 'An event source mapping is switched off'),
    off(schedules, 'A schedule is switched off'),
    off(forwardedLogs, 'The lines of a log group are not forwarded'),
    off(keys, 'A KMS key cannot be used'),
    refusedKeys(dependencies),
  ]);
  findings({
    ChecksFailed: failed.filter(Boolean).length,
    PartsOff: mappingsOff + schedulesOff + forwardingsOff,
    KeysUnusable,
    ApiKeyRefused,
  });
};
