import { viewerCountryHeader } from '../../../shared/ott/viewers/request-location.ts';
import { originVerifyHeader } from '../../../shared/platform/origin-verify.ts';
import type { CheckResult } from './check-result.ts';

/** A country from which nobody watches, so that an answer for it differs if anything is shown or hidden by country. */
const forged = { [viewerCountryHeader]: 'AQ' };
const timeoutMilliseconds = 35_000;

const textOf = async (url: string, headers: Readonly<Record<string, string>>) => {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMilliseconds) });
  return { status: response.status, text: await response.text() };
};

const checked = async (
  { name, url }: { readonly name: string; readonly url: string },
  look: () => Promise<readonly string[]>,
): Promise<CheckResult> => {
  const startedAt = performance.now();
  const faults = await look().catch((error: unknown) => [
    error instanceof Error ? `no answer: ${error.message}` : String(error),
  ]);
  return {
    check: { name, method: 'GET', url },
    milliseconds: Math.round(performance.now() - startedAt),
    faults,
  };
};

/**
 * Checks for a stage behind a distribution that a caller cannot choose its country: the distribution must replace the
 * caller's header, and the API must refuse who does not come through the distribution.
 */
export const checkForgedCountry = ({
  baseUrl,
  ownUrl,
}: {
  /** The base API's address at the distribution. */
  readonly baseUrl: string;
  /** API Gateway's own address of the base API. */
  readonly ownUrl: string;
}): Promise<readonly CheckResult[]> => {
  const list = '/api/v3/ott/events/';
  return Promise.all([
    checked({ name: 'a forged country, through the distribution', url: `${baseUrl}${list}` }, async () => {
      const url = `${baseUrl}${list}`;
      const [honest, lied] = [await textOf(url, {}), await textOf(url, forged)];
      return honest.status === lied.status && honest.text === lied.text
        ? []
        : [
            'the answer differs from that without the header: the distribution passes on what a caller claims',
          ];
    }),
    checked({ name: 'a forged country, past the distribution', url: `${ownUrl}${list}` }, async () => {
      const { status } = await textOf(`${ownUrl}${list}`, { ...forged, [originVerifyHeader]: 'forged' });
      return status === 403 ? [] : [`status: ${status}, expected 403`];
    }),
  ]);
};
