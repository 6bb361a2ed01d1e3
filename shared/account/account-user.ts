import type { AccessToken, VerifyAccessToken } from '../platform/auth/access-token.ts';
import type { HttpRequest } from '../platform/http/request.ts';
import { ClientNotAllowedError } from './errors.ts';

export interface AccountUserDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
  /** The clients that the stage allows to make calls about a user's whole account. */
  readonly accountClients: readonly string[];
}

/**
 * The access token of a call about a user's whole account. The page of a customer could otherwise end the account that
 * its user has with all customers, or read what others know of the user.
 * @throws UnauthorizedError, ClientNotAllowedError
 */
export const accountUser = async (
  { verifyAccessToken, accountClients }: AccountUserDependencies,
  { header }: Pick<HttpRequest<unknown, unknown, unknown>, 'header'>,
): Promise<AccessToken> => {
  const token = await verifyAccessToken(header('authorization'));
  const { clientId } = token;
  if (clientId === undefined || !accountClients.includes(clientId)) {
    throw new ClientNotAllowedError({ clientId });
  }
  return token;
};
