import * as z from 'zod';
import type { SecretReader } from '../../platform/aws/secret-reader.ts';
import type { Logger } from '../../platform/logger.ts';
import { type CircuitBreaker, circuitBreaker } from '../../platform/outside/circuit-breaker.ts';
import { type ExternalAnswer, fetchExternal, withRetry } from '../../platform/outside/fetch-external.ts';
import type { OutageWatch } from '../../platform/store/outages.ts';
import { patient } from '../../platform/time/patience.ts';
import { outageCodes } from '../../platform/watched.ts';
import type { EntitlementAnswer, EntitlementService } from '../ports/entitlement.ts';

export const entitlementSecretSchema = z.object({ api_key: z.string().min(1) });
export type EntitlementSecret = z.infer<typeof entitlementSecretSchema>;

const answerSchema = z.object({
  decision: z.enum(['success', 'denied']),
  reason: z.string().optional(),
  vip: z.boolean(),
  seller: z.string().nullish(),
});

/**
 * The first timeout opens the circuit. So a service that hangs delays a function instance only once, by about 1.5 s.
 */
const defaultTimeoutMilliseconds = patient(1_400);

/** Queries the service over HTTP, with one retry. Returns `unavailable` if no try gives a valid response. */
export const httpEntitlementService = ({
  url,
  secret,
  logger,
  timeoutMilliseconds = defaultTimeoutMilliseconds,
  breaker = circuitBreaker({ service: 'entitlement', logger }),
  watch = (call) => call(),
}: {
  /** Without a trailing slash. */
  readonly url: string;
  readonly secret: Pick<SecretReader<EntitlementSecret>, 'read' | 'refresh'>;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** The time limit of each of the two tries. @default 1_400 */
  readonly timeoutMilliseconds?: number;
  /** @default a new one */
  readonly breaker?: CircuitBreaker;
  /** Makes each call, and learns its outcome. @default only makes the call */
  readonly watch?: OutageWatch;
}): EntitlementService => ({
  check: async ({ userSub, clientId, eventId }) => {
    try {
      return await watch(() =>
        withRetry({
          secret,
          breaker,
          read: answerOf,
          exchange: ({ api_key }) =>
            fetchExternal({
              url: `${url}/v1/check`,
              method: 'POST',
              headers: {
                accept: 'application/json',
                'content-type': 'application/json',
                'x-api-key': api_key,
              },
              body: JSON.stringify({ user_sub: userSub, client_id: clientId, event_id: eventId }),
              timeoutMilliseconds,
              contentType: /^application\/json\b/i,
            }),
        }),
      );
    } catch (error) {
      logger.error('Entitlement service unavailable', { code: outageCodes.entitlement, error });
      return { outcome: 'unavailable' };
    }
  },
});

const answerOf = ({ status, json }: ExternalAnswer): EntitlementAnswer => {
  if (status !== 200) throw new Error(`answered ${status}`);
  const { decision, reason, vip, seller } = answerSchema.parse(json);
  if (decision === 'success')
    return { outcome: decision, vip, ...(typeof seller === 'string' && { seller }) };
  // A denial with an unknown reason is still a denial.
  return { outcome: decision, reason: reason === 'no_purchase' ? reason : 'denied', vip };
};
