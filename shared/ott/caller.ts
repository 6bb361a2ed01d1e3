import type { Application } from '../applications/application.ts';
import type { Applications } from '../applications/repository.ts';
import type { AccessToken, VerifyAccessToken } from '../auth/access-token.ts';
import { InvalidTokenError } from '../auth/errors.ts';
import { BadRequestError } from '../errors.ts';
import type { Country } from './countries.ts';
import type { LocateRequest, RequestHeaders } from './request-location.ts';

/** Who sent a request, through which client, and from where. */
export interface Caller {
  readonly application: Application;
  /** The user of a good token, and the client that the token was issued to. */
  readonly login: { readonly userSub: string; readonly clientId: string } | undefined;
  readonly address: string;
  /** Already known from in front of us; otherwise it is to be looked up by the address. */
  readonly country: Country;
}

export type IdentifyCaller = (request: RequestHeaders) => Promise<Caller>;

/**
 * The client is the token's (`azp` or `client_id`), and without a token the one that `x-client-id` names, else
 * the stage's default application. Anyone can name a client: its rules are its wishes, not a protection.
 *
 * @throws InvalidTokenError, BadRequestError naming `x-client-id`, OriginNotVerifiedError.
 */
export const callerIdentifier =
  ({
    verifyAccessToken,
    applications,
    defaultApplicationId,
    locate,
  }: {
    readonly verifyAccessToken: VerifyAccessToken;
    readonly applications: Pick<Applications, 'find' | 'findByClientId'>;
    readonly defaultApplicationId: string | undefined;
    readonly locate: LocateRequest;
  }): IdentifyCaller =>
  async (request) => {
    const location = await locate(request);
    const authorization = request.header('authorization');
    const named = request.header('x-client-id');

    if (authorization !== undefined) {
      const login = loginOf(await verifyAccessToken(authorization));
      if (named !== undefined && named !== login.clientId) throw badClient('is not the client of the token');
      const application = await applications.findByClientId(login.clientId);
      if (application === undefined) throw badClient('the client of the token is unknown');
      return { application, login, ...location };
    }

    const application = await findClient({ applications, named, defaultApplicationId });
    return { application, login: undefined, ...location };
  };

const loginOf = ({ sub, clientId }: AccessToken) => {
  if (clientId === undefined) throw new InvalidTokenError({ reason: 'it names no client' });
  return { userSub: sub, clientId };
};

const findClient = async ({
  applications,
  named,
  defaultApplicationId,
}: {
  readonly applications: Pick<Applications, 'find' | 'findByClientId'>;
  readonly named: string | undefined;
  readonly defaultApplicationId: string | undefined;
}): Promise<Application> => {
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
