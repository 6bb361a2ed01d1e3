import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { walletAnswer } from '../../../shared/wallets/http/answers.ts';
import type { AddressPath, Proof } from '../../../shared/wallets/http/requests.ts';
import { type LinkWalletDependencies, linkWallet } from '../../../shared/wallets/link-wallet.ts';

export interface Dependencies extends LinkWalletDependencies {
  readonly verifyAccessToken: VerifyAccessToken;
}

export const linkWalletHandler =
  ({ verifyAccessToken, ...dependencies }: Dependencies) =>
  async (request: HttpRequest<AddressPath, undefined, Proof>): Promise<HttpResponse> => {
    const { sub } = await verifyAccessToken(request.header('authorization'));
    const { challenge_id: challengeId, signature } = request.body;
    const wallet = await linkWallet(dependencies, {
      userSub: sub,
      address: request.path.address,
      challengeId,
      signature,
      origin: request.header('origin'),
    });
    return { status: 200, body: walletAnswer(wallet) };
  };
