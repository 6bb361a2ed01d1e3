import { setTimeout } from 'node:timers/promises';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';
import { retryAfterSeconds } from '../../shared/platform/refused-before-functions.ts';

/** In this time, AWS WAF must have counted the calls. Its documentation speaks of some minutes at most. */
const patienceMilliseconds = 300_000;
const timeoutMilliseconds = 35_000;
/** How many calls are made at once. */
const together = 20;

export interface CheckFirewallDependencies {
  readonly fetch?: typeof globalThis.fetch;
  /** Waits until API Gateway has room again. @default the time that it asks for */
  readonly pause?: () => Promise<unknown>;
  /** @default five minutes */
  readonly patience?: AbortSignal;
}

/**
 * Whether API Gateway itself refused, and not the firewall: it has no room for the calls of all callers, or Lambda has none.
 * An account with few concurrent executions refuses long before its firewall does.
 */
const isOfGateway = ({ status, headers }: Response): boolean =>
  (status === 429 || status === 503) && headers.get('retry-after') === String(retryAfterSeconds.gateway);

/**
 * Requests the list of events until the firewall refuses. This shows that the firewall's own answers are as documented:
 * 429 with `Retry-After`, and readable by pages of other origins. Refusals of API Gateway itself do not count.
 *
 * @throws OperatorError when the firewall never refuses, or gives another answer.
 */
export const checkFirewall = async (
  {
    fetch = globalThis.fetch,
    pause = () => setTimeout(retryAfterSeconds.gateway * 1_000),
    patience = AbortSignal.timeout(patienceMilliseconds),
  }: CheckFirewallDependencies,
  { baseUrl }: { readonly baseUrl: string },
): Promise<void> => {
  let ofGateway = 0;
  while (!patience.aborted) {
    const answers = await Promise.all(
      Array.from({ length: together }, () =>
        fetch(`${baseUrl}/api/v3/ott/events/`, { signal: AbortSignal.timeout(timeoutMilliseconds) }),
      ),
    );
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    const others = answers.filter((answer) => !isOfGateway(answer));
    const refused = others.find(({ status }) => status !== 200);
    if (refused === undefined) {
      if (others.length === answers.length) continue;
      ofGateway += answers.length - others.length;
      await pause();
      continue;
    }
    const { status, headers } = refused;
    const missing = ['retry-after', 'access-control-allow-origin'].filter((name) => !headers.has(name));
    if (status === 429 && missing.length === 0) return;
    throw new OperatorError({
      message: `The firewall refused with ${status}${missing.length === 0 ? '' : ` without ${missing.join(' and ')}`}, expected 429 with both headers.`,
    });
  }
  throw new OperatorError({
    message:
      ofGateway === 0
        ? 'The firewall refused none of the calls from this address.'
        : `The firewall refused none of the calls from this address, and API Gateway itself refused ${ofGateway}: let the quotas of the account be raised.`,
  });
};
