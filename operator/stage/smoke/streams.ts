import * as z from 'zod';
import { isPlayable } from '../../../shared/ott/events/event-kinds.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import type { CheckResult } from './check-result.ts';

const listSchema = z.array(
  z.object({ event_id: z.string(), status: z.string(), access: z.enum(['free', 'paid']) }),
);
const streamSchema = z.object({ type: z.string(), url: z.url(), expires_at: z.iso.datetime().nullable() });

type Listed = z.output<typeof listSchema>[number];

const timeoutMilliseconds = 35_000;
const get = (url: string) =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMilliseconds) });

/**
 * Requests the stream of one event of each kind in the public catalogue, without a login. Changes nothing. A paid
 * stream must be refused, and so must a stream whose event is not LIVE or VOD. If the stage signs streams, a free
 * stream must have an expiry. A request for the free stream's file without a signature must then be refused.
 */
export const checkStreams = async ({
  baseUrl,
  signing,
}: {
  readonly baseUrl: string;
  readonly signing: Signing;
}): Promise<readonly CheckResult[]> => {
  const events = `${baseUrl}/api/v3/ott/events/`;
  const listed = await listOf(`${events}?limit=100`);
  if (listed === undefined) return [];
  const first = (matches: (event: Listed) => boolean): Listed | undefined => listed.find(matches);
  const isPlayed = ({ status }: Listed): boolean => isPlayable(status);
  const kinds: readonly [name: string, event: Listed | undefined, faultsOf: FaultsOf][] = [
    [
      "a paid event's stream, without a login",
      first(({ access }) => access === 'paid'),
      (response) => refusalFaults(response, { 403: 'LOGIN_REQUIRED' }),
    ],
    [
      'a stream that is not available now',
      first((event) => event.access === 'free' && !isPlayed(event)),
      (response) => refusalFaults(response, { 404: 'STREAM_NOT_AVAILABLE' }),
    ],
    [
      "a free event's stream, and its file without a signature",
      first((event) => event.access === 'free' && isPlayed(event)),
      (response) => handedOutFaults(response, signing),
    ],
  ];
  const results: CheckResult[] = [];
  for (const [name, event, faultsOf] of kinds) {
    if (event !== undefined)
      results.push(await check(`${events}${event.event_id}/stream`, { name, faultsOf }));
  }
  return results;
};

type FaultsOf = (response: Response) => Promise<readonly string[]>;

const check = async (
  url: string,
  { name, faultsOf }: { readonly name: string; readonly faultsOf: FaultsOf },
): Promise<CheckResult> => {
  const startedAt = performance.now();
  const faults = await get(url)
    .then(faultsOf)
    .catch((error: unknown) => [`no answer: ${error instanceof Error ? error.message : error}`]);
  return {
    check: { name, method: 'GET', url },
    milliseconds: Math.round(performance.now() - startedAt),
    faults,
  };
};

/** The error code if the event has no stream, or its stream is not available in the caller's country. */
const hasNone = 'EVENT_NOT_FOUND';

const refusalFaults = async (
  response: Response,
  expected: Readonly<Record<number, string>>,
): Promise<readonly string[]> => {
  const message = await messageOf(response);
  if (response.status === 404 && message === hasNone) return [];
  if (expected[response.status] === message) return [];
  const [[status, code] = []] = Object.entries(expected);
  return [`answered ${response.status} ${message}, expected ${status} ${code}`];
};

const handedOutFaults = async (response: Response, signing: Signing): Promise<readonly string[]> => {
  if (response.status !== 200) {
    return refusalFaults(response, { 404: 'STREAM_NOT_AVAILABLE' });
  }
  const parsed = streamSchema.safeParse(await response.json());
  if (!parsed.success) return ['body: is not a stream'];
  if (signing === 'none') return [];
  const { url, expires_at: expiresAt } = parsed.data;
  const address = new URL(url);
  if (signing === 'url') address.search = '';
  const unsigned = await get(address.href);
  await unsigned.body?.cancel();
  return [
    ...(expiresAt === null || Date.parse(expiresAt) <= Date.now()
      ? ['expires_at: is not in the future']
      : []),
    ...(signing === 'cookies' && response.headers.getSetCookie().length < 3
      ? ['set-cookie: is missing']
      : []),
    ...(unsigned.status === 401 || unsigned.status === 403
      ? []
      : [`${address.href}: answered ${unsigned.status} without a signature, expected 403`]),
  ];
};

const messageOf = async (response: Response): Promise<string> => {
  const parsed = z.object({ message: z.string() }).safeParse(await response.json().catch(() => undefined));
  return parsed.success ? parsed.data.message : 'without a message';
};

/** Returns `undefined` if the list cannot be read. Other checks report that. */
const listOf = async (url: string): Promise<readonly Listed[] | undefined> => {
  try {
    const parsed = listSchema.safeParse(await (await get(url)).json());
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};
