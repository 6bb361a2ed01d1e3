import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';

/** In this time, AWS WAF must have counted the calls. Its documentation speaks of some minutes at most. */
const patienceMilliseconds = 300_000;
const timeoutMilliseconds = 35_000;
/** How many calls are made at once. */
const together = 20;

/**
 * Requests the list of events until the firewall refuses. This shows that the firewall's own answers are as documented:
 * 429 with `Retry-After`, and readable by pages of other origins.
 *
 * @throws OperatorError when the firewall never refuses, or gives another answer.
 */
export const checkFirewall = async (
  { fetch = globalThis.fetch }: { readonly fetch?: typeof globalThis.fetch },
  { baseUrl }: { readonly baseUrl: string },
): Promise<void> => {
  const late = AbortSignal.timeout(patienceMilliseconds);
  while (!late.aborted) {
    const answers = await Promise.all(
      Array.from({ length: together }, () =>
        fetch(`${baseUrl}/api/v3/ott/events/`, { signal: AbortSignal.timeout(timeoutMilliseconds) }),
      ),
    );
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    const refused = answers.find(({ status }) => status !== 200);
    if (refused === undefined) continue;
    const { status, headers } = refused;
    const missing = ['retry-after', 'access-control-allow-origin'].filter((name) => !headers.has(name));
    if (status === 429 && missing.length === 0) return;
    throw new OperatorError({
      message: `The firewall refused with ${status}${missing.length === 0 ? '' : ` without ${missing.join(' and ')}`}, expected 429 with both headers.`,
    });
  }
  throw new OperatorError({ message: 'The firewall refused none of the calls from this address.' });
};
