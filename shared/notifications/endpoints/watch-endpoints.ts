import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { recorderCodes } from '../../platform/watched.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import { failingNow } from './endpoint.ts';

export interface WatchEndpointsDependencies {
  readonly endpoints: Pick<Endpoints, 'list'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Longer than a long weekend: an endpoint that fails at the beginning of one, and is repaired after it, causes no
 * alarm.
 */
export const failsForDaysMilliseconds = 5 * 24 * 60 * 60 * 1_000;

/** Logs which endpoints have accepted nothing for five days. A metric counts these lines. */
export const watchEndpoints = async ({
  endpoints,
  clock,
  logger,
}: WatchEndpointsDependencies): Promise<void> => {
  const given = failingNow(await endpoints.list()).filter(
    ({ failingSince }) => failingSince !== undefined && failingSince <= clock() - failsForDaysMilliseconds,
  );
  if (given.length === 0) return;
  logger.warn('Endpoints have accepted nothing for five days', {
    code: recorderCodes.endpointsFailing,
    count: given.length,
    // Endpoints are logged by id, because an address's path can be secret.
    endpoints: given.map(({ applicationId, id }) => ({ application: applicationId, endpoint: id })),
  });
};
