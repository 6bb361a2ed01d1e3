import type { Application } from '../../platform/applications/application.ts';
import type { Applications } from '../../platform/applications/ports/applications.ts';
import type { AccessToken, VerifyAccessToken } from '../../platform/auth/access-token.ts';
import { InvalidTokenError } from '../../platform/auth/errors.ts';
import { BadRequestError } from '../../platform/errors.ts';
import { type OttConfiguration, ottConfigurationOf } from '../configuration.ts';
import type { Country } from './countries.ts';
import type { LocateRequest, RequestHeaders } from './request-location.ts';

export interface Caller {
  readonly applicationId: string;
  readonly configuration: OttConfiguration;
  /** The user of the token and the client that the token was issued to. Set only for a valid token. */
  readonly login: { readonly userSub: string; readonly clientId: string } | undefined;
  readonly address: string;
  /**
   * The country in the header that CloudFront sets. If it is `undefined`, the country is looked up by the IP address
   * `address`.
   */
  readonly country: Country;
}

export interface IdentifyCallerDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
  readonly applications: Pick<Applications, 'find' | 'findByClientId'>;
  readonly locate: LocateRequest;
  /** The application whose rules apply to a request that names no client. */
  readonly defaultApplicationId: string | undefined;
}

/**
 * Identifies the application by the token's client, or without a token by `x-client-id`. A request with neither belongs
 * to the stage's default application. A caller without a token can write any client into `x-client-id`, so do not rely
 * on an application's rules to protect content.
 * @throws InvalidTokenError, BadRequestError naming `x-client-id`, OriginNotVerifiedError.
 */
export const identifyCaller = async (
  dependencies: IdentifyCallerDependencies,
  request: RequestHeaders,
): Promise<Caller> => {
  const { locate, verifyAccessToken, applications } = dependencies;
  const location = await locate(request);
  const authorization = request.header('authorization');
  if (request.isRepeated('x-client-id')) throw badClient('must not be repeated');
  const named = request.header('x-client-id');

  if (authorization !== undefined) {
    const login = loginOf(await verifyAccessToken(authorization));
    if (named !== undefined && named !== login.clientId) throw badClient('is not the client of the token');
    const application = await applications.findByClientId(login.clientId);
    if (application === undefined) throw badClient('the client of the token is unknown');
    return {
      applicationId: application.id,
      configuration: ottConfigurationOf(application),
      login,
      ...location,
    };
  }

  const application = await findClient(dependencies, { named });
  return {
    applicationId: application.id,
    configuration: ottConfigurationOf(application),
    login: undefined,
    ...location,
  };
};

const loginOf = ({ sub, clientId }: AccessToken) => {
  if (clientId === undefined) throw new InvalidTokenError({ reason: 'it names no client' });
  return { userSub: sub, clientId };
};

const findClient = async (
  {
    applications,
    defaultApplicationId,
  }: Pick<IdentifyCallerDependencies, 'applications' | 'defaultApplicationId'>,
  { named }: { readonly named: string | undefined },
): Promise<Application> => {
  if (named !== undefined) {
    const isPlausible = named.length >= 1 && named.length <= 256;
    const application = isPlausible ? await applications.findByClientId(named) : undefined;
    if (application === undefined) throw badClient('is unknown');
    return application;
  }
  const application =
    defaultApplicationId === undefined ? undefined : await applications.find(defaultApplicationId);
  if (application === undefined) throw badClient('is required, since there is no default application');
  return application;
};

const badClient = (message: string) => new BadRequestError({ issues: [{ path: 'x-client-id', message }] });
