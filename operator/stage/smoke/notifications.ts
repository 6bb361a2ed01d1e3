import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { CheckResult } from './check-result.ts';

export interface CheckNotificationsDependencies {
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch;
  /** @default two seconds */
  readonly pause?: () => Promise<unknown>;
}

/**
 * How many times the record is read, at intervals of two seconds. SNS logs a delivery some seconds after it has ended,
 * and recording it takes a few seconds more.
 */
const looks = 60;
const timeoutMilliseconds = 35_000;

const endpointsSchema = z.array(z.object({ id: z.string(), address: z.string(), state: z.string() }));
const notificationSchema = z.object({
  id: z.string(),
  published_at: z.string(),
  deliveries: z.array(
    z.object({
      endpoint_id: z.string().nullable(),
      status: z.string(),
      status_code: z.number().nullable(),
    }),
  ),
});

/** A failure of the check. Its message is shown to the operator. */
class Fault extends Error {}

/** An answer that asks the caller to retry. */
class BusyFault extends Fault {}
const busyStatuses = [429, 503];

type Endpoint = z.output<typeof endpointsSchema>[number];

const chosen = (endpoints: readonly Endpoint[], wanted: string | undefined): Endpoint => {
  if (wanted !== undefined) {
    const named = endpoints.find(({ id }) => id === wanted);
    if (named === undefined) throw new Fault(`the application has no endpoint ${wanted}`);
    if (named.state !== 'confirmed') throw new Fault(`the endpoint ${wanted} is ${named.state}`);
    return named;
  }
  const [only, ...others] = endpoints.filter(({ state }) => state === 'confirmed');
  if (only === undefined) {
    throw new Fault('the application has no confirmed endpoint: subscribe one of your own');
  }
  if (others.length > 0) throw new Fault('the application has several endpoints: choose one with --endpoint');
  return only;
};

/**
 * Sends a test notification to an endpoint, as its customer would, and waits until the delivery is recorded. This tests
 * SNS's delivery log and its permissions, the log groups' subscription filters, and the recorder. Each of these can
 * fail without the publisher noticing.
 */
export const checkNotifications = async (
  { fetch = globalThis.fetch, pause = () => setTimeout(2_000) }: CheckNotificationsDependencies,
  {
    b2bUrl,
    apiKey,
    endpointId,
  }: {
    readonly b2bUrl: string;
    readonly apiKey: string;
    /** @default the only confirmed endpoint of the key's application */
    readonly endpointId?: string | undefined;
  },
): Promise<CheckResult> => {
  const url = `${b2bUrl}/notifications/test`;
  const call = async <Body>(path: string, schema: z.ZodType<Body>, body?: object): Promise<Body> => {
    const response = await fetch(`${b2bUrl}/notifications${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (response.status !== 200 || !parsed.success) {
      const Kind = busyStatuses.includes(response.status) ? BusyFault : Fault;
      throw new Kind(
        `/notifications${path}: answered ${response.status}, expected 200 with a body as documented`,
      );
    }
    return parsed.data;
  };

  /** Returns `undefined` if the API asks to retry later. The last attempt throws instead. */
  const list = async (query: string, isLast: boolean) => {
    try {
      return await call(query, z.array(notificationSchema));
    } catch (error) {
      if (isLast || !(error instanceof BusyFault)) throw error;
      return undefined;
    }
  };

  const waitForDelivery = async (): Promise<void> => {
    const endpoint = chosen(await call('/endpoints', endpointsSchema), endpointId);
    const sent = await call('/test', notificationSchema, { endpoint_id: endpoint.id });
    // One minute before the publication, because the clocks of SNS and of the functions may differ.
    const from = new Date(Date.parse(sent.published_at) - 60_000).toISOString();
    const query = new URLSearchParams({ operation_type: 'test', from, limit: '100' });
    let isRecorded = false;
    for (let look = 1; look <= looks; look++) {
      const found = (await list(`?${query}`, look === looks))?.find(({ id }) => id === sent.id);
      isRecorded ||= found !== undefined;
      const delivery = found?.deliveries.find(({ endpoint_id: id }) => id === endpoint.id);
      if (delivery?.status === 'delivered') return;
      if (delivery !== undefined) {
        throw new Fault(
          `${endpoint.address} did not accept the test notification: ${delivery.status_code ?? 'no answer'}`,
        );
      }
      await pause();
    }
    throw new Fault(
      isRecorded
        ? `no delivery is recorded for ${endpoint.address}: SNS is still retrying, or does not write its delivery log, or the service does not read this log`
        : 'the notification is not recorded',
    );
  };

  const startedAt = performance.now();
  const faults = await waitForDelivery().then(
    () => [],
    (error: unknown) => [
      error instanceof Fault ? error.message : `no answer: ${error instanceof Error ? error.message : error}`,
    ],
  );
  return {
    check: { name: 'the delivery of the test notification is recorded', method: 'POST', url },
    milliseconds: Math.round(performance.now() - startedAt),
    faults,
  };
};
