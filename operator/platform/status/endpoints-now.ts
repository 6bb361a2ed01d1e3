import { type Endpoint, failingNow, withoutCredentials } from '../../../shared/notifications/endpoint.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';

/** How many endpoints a customer has, how many fail, and when any of them last accepted a notification. */
export interface CustomerEndpoints {
  readonly application: string;
  readonly endpoints: number;
  readonly failing: number;
  readonly last_success: string | undefined;
}

const time = (milliseconds: number | undefined): string | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();

export const endpointRow = (endpoint: Endpoint) => ({
  application: endpoint.applicationId,
  endpoint: withoutCredentials(endpoint.destination),
  form: endpoint.isEnveloped ? 'enveloped' : 'raw',
  last_success: time(endpoint.lastSuccessAt),
  failing_since: time(endpoint.failingSince),
  last_failure: endpoint.lastFailure?.reason,
});

/** Reads the state of all endpoints. The customer whose endpoint has failed for longest comes first. */
export const endpointsNow = async ({ endpoints }: { readonly endpoints: Pick<Endpoints, 'list'> }) => {
  const subscribed = (await endpoints.list()).filter(({ removedAt }) => removedAt === undefined);
  const failing = failingNow(subscribed).toSorted((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0));
  const applications = [...new Set([...failing, ...subscribed].map(({ applicationId }) => applicationId))];
  const customers = applications.map((application): CustomerEndpoints => {
    const own = subscribed.filter(({ applicationId }) => applicationId === application);
    const successes = own.map(({ lastSuccessAt }) => lastSuccessAt ?? 0);
    return {
      application,
      endpoints: own.length,
      failing: failing.filter(({ applicationId }) => applicationId === application).length,
      last_success: time(Math.max(...successes) || undefined),
    };
  });
  return { customers, failing: failing.map(endpointRow) };
};
