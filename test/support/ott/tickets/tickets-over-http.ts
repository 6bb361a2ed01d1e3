import { waitFor } from 'template-runtime/testing/wait.ts';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type ApiAnswer, type ApiCall, callApi } from '../../platform/api-client.ts';
import type { System } from '../../platform/system.ts';

export const walletOrigin = 'https://www.example.com';

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

interface Challenge {
  readonly challenge_id: string;
  readonly message: string;
}

/** What fans do on a running system. */
export const fansOf = (system: Pick<System, 'outputs' | 'token'>) => {
  const { api_url_profile: profileUrl, base_url: baseUrl } = system.outputs;
  const profile = <Json = Record<string, unknown>>(path: string, token: string, call: ApiCall = {}) =>
    callApi<Json>(`${profileUrl}${path}`, { ...call, token });

  const challenge = (token: string, address: string, origin = walletOrigin) =>
    profile<Challenge>('/user/wallets/challenges', token, { method: 'POST', body: { address, origin } });

  const prove = (
    token: string,
    proof: { readonly address: string; readonly challengeId: string; readonly signature: string },
    headers: Readonly<Record<string, string>> = {},
  ) =>
    profile(`/user/wallets/${proof.address}`, token, {
      method: 'PUT',
      headers,
      body: { challenge_id: proof.challengeId, signature: proof.signature },
    });

  /**
   * Repeats the request while the service is unavailable, as a client does: on a busy machine, it may not answer in
   * time.
   */
  const answered = <Answer extends { readonly status: number }>(
    ask: () => Promise<Answer>,
  ): Promise<Answer> =>
    waitFor(
      async () => {
        const answer = await ask();
        if (answer.status >= 502) throw new Error(`It stays ${answer.status}`);
        return answer;
      },
      { interval: 300 },
    );

  return {
    profile,
    challenge,
    prove,
    register: async (sub: string): Promise<string> => {
      const token = await system.token({ sub, client_id: 'demo-web' });
      await answered(() => profile('/user/data', token, { method: 'PUT', body: {} }));
      return token;
    },
    link: async (token: string, wallet: PrivateKeyAccount) => {
      const { address } = wallet;
      const { json } = await answered(() => challenge(token, address));
      const signature = await wallet.signMessage({ message: json.message });
      return answered(() => prove(token, { address, challengeId: json.challenge_id, signature }));
    },
    stream: (
      event: string,
      token: string | undefined,
      from = '198.51.100.9',
    ): Promise<ApiAnswer<Record<string, unknown>>> =>
      callApi(`${baseUrl}/api/v3/ott/events/${event}/stream`, {
        headers: { 'x-forwarded-for': from },
        ...(token !== undefined && { token }),
      }),
  };
};

export type Fans = ReturnType<typeof fansOf>;

/** The status, followed by the error code if the status is not 200. */
export const outcomeOf = ({ status, json }: ApiAnswer<Record<string, unknown>>): string =>
  status === 200 ? '200' : `${status} ${json?.message}`;
