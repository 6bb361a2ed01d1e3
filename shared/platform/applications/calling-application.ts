import { type Clock, systemClock } from '../clock.ts';
import { ForbiddenError } from '../errors.ts';
import { type Application, hasEnded } from './application.ts';
import type { Applications } from './ports/applications.ts';

export interface CallingDependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
}

/** @throws ForbiddenError when API Gateway accepts the key, but the key belongs to no application or has expired. */
export const callingApplication = async (
  applications: CallingDependencies['applications'],
  apiKeyId: string | undefined,
  clock: Clock = systemClock,
): Promise<Application> => {
  const application = apiKeyId === undefined ? undefined : await applications.findByApiKeyId(apiKeyId);
  if (application === undefined)
    throw new ForbiddenError({ message: `API key ${apiKeyId} belongs to no application` });
  if (apiKeyId !== undefined && hasEnded(application, apiKeyId, clock()))
    throw new ForbiddenError({ message: `API key ${apiKeyId} has expired` });
  return application;
};
