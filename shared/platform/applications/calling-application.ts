import { ForbiddenError } from '../errors.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { type Application, hasEnded } from './application.ts';
import type { Applications } from './ports/applications.ts';

export interface CallingDependencies {
  readonly applications: Pick<Applications, 'findByApiKeyId'>;
}

const callingAny = async (
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

/** @throws ForbiddenError as `callingApplication` does, or when the application is not of this kind. */
const callerOfKind = async (
  kind: Application['kind'],
  ...call: Parameters<typeof callingAny>
): Promise<Application> => {
  const application = await callingAny(...call);
  if (application.kind === kind) return application;
  throw new ForbiddenError({
    message: `${application.id} is ${application.kind === undefined ? 'not an' : 'an'} ${application.kind ?? kind}`,
  });
};

/**
 * The customer's application to which the key belongs.
 * @throws ForbiddenError when API Gateway accepts the key, but it belongs to no application or to an editor, or has
 * expired.
 */
export const callingApplication = (...call: Parameters<typeof callingAny>): Promise<Application> =>
  callerOfKind(undefined, ...call);

/** The editor to which the key belongs. @throws ForbiddenError when it belongs to no editor, or has expired. */
export const callingEditor = (...call: Parameters<typeof callingAny>): Promise<Application> =>
  callerOfKind('editor', ...call);
