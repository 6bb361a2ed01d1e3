import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { walletAnswer } from '../../../shared/wallets/http/answers.ts';
import type { OpenWalletsDependencies } from '../../../shared/wallets/open-wallets.ts';
import { registrationOf } from '../../../shared/wallets/registration.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';

export interface Dependencies extends OpenWalletsDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
}

export const listWalletsHandler =
  ({ verifyAccessToken, wallets, users }: Dependencies) =>
  async (request: HttpRequest<undefined, undefined, undefined>): Promise<HttpResponse> => {
    const { sub } = await verifyAccessToken(request.header('authorization'));
    const registrationId = await registrationOf({ users }, sub);
    const stored = await wallets.find(holderOf(sub));
    const own = stored?.registrationId === registrationId ? stored.wallets : [];
    return { status: 200, body: own.map(walletAnswer) };
  };
