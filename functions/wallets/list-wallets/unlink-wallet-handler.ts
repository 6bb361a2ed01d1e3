import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { Users } from '../../../shared/users/ports/users.ts';
import type { AddressPath } from '../../../shared/wallets/http/requests.ts';
import { registrationOf } from '../../../shared/wallets/registration.ts';
import { type UnlinkWalletsDependencies, unlinkWallets } from '../../../shared/wallets/unlink-wallets.ts';

export interface Dependencies extends UnlinkWalletsDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly verifyAccessToken: VerifyAccessToken;
}

export const unlinkWalletHandler =
  ({ verifyAccessToken, users, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<AddressPath, undefined, undefined>): Promise<HttpResponse> => {
    const { sub } = await verifyAccessToken(request.header('authorization'));
    const registrationId = await registrationOf({ users }, sub);
    await unlinkWallets(dependencies, { userSub: sub, registrationId, address: request.path.address });
    return { status: 204 };
  };
