import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { ticketing } from '../../local/seed/demonstration.ts';
import { stageSettings } from '../../operator/platform/target/stage-settings.ts';
import { usersOf } from '../../operator/platform/target/stores.ts';
import type { Target } from '../../operator/platform/target/target.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { removeUser } from '../../shared/users/remove-user.ts';
import { eventually, expectSame } from './step.ts';
import { applicationOf, bodyOf, call, logIn, type World } from './world.ts';

/**
 * How long to wait for a change on the chain: the time that the service caches the chain's answers, and some more for a
 * busy machine.
 */
const cacheSeconds = 30;

export interface Fan {
  readonly name: string;
  readonly token: string;
  /** Not linked at first. */
  readonly wallet: PrivateKeyAccount;
}

export interface Answered {
  readonly refusal: string | undefined;
  readonly url: string;
  readonly cookies: string;
}

const refusalSchema = z.object({ message: z.string() });
const streamSchema = z.object({ url: z.url(), expires_at: z.iso.datetime(), continuation: z.string() });
const challengeSchema = z.object({ challenge_id: z.string(), message: z.string() });
const historySchema = z.object({
  history: z.array(z.object({ what: z.string(), from: z.string().nullish(), to: z.string().nullish() })),
});
const identifierSchema = z.object({ application_user_sub: z.string() });

/** The actions of the event's fans, through the APIs that their browsers use. */
export const fansOf = (
  world: World,
  { event, target }: { readonly event: string; readonly target: () => Target },
) => {
  const { signal } = world;
  const profile = (path: string, { token }: Fan, more: { method?: 'PUT'; body?: unknown } = {}) =>
    call(`${world.outputs().api_url_profile}${path}`, { ...more, token, signal });

  const register = async (name: string): Promise<Fan> => {
    const user = `${world.run}-${name}`;
    const { client_id: clientId } = applicationOf(world, ticketing);
    const wallet = privateKeyToAccount(generatePrivateKey());
    const fan = { name, token: await logIn(world, { user, clientId }), wallet };
    world.atEnd(`Remove the ${name}`, () => removeFan(target(), user));
    bodyOf(await profile('/user/data', fan, { method: 'PUT', body: {} }), {
      status: 200,
      schema: z.object({}),
    });
    return fan;
  };

  /** The application's identifier for the fan, which the fan's page passes on to the shop. */
  const identifierOf = async (fan: Fan): Promise<string> => {
    const answer = await profile('/user/reporter/application-user-sub', fan);
    return bodyOf(answer, { status: 200, schema: identifierSchema }).application_user_sub;
  };

  const link = async (fan: Fan): Promise<string> => {
    const { address } = fan.wallet;
    const { origin } = new URL(world.outputs().base_url);
    const challenge = await profile('/user/wallets/challenges', fan, { body: { address, origin } });
    const { challenge_id, message } = bodyOf(challenge, { status: 201, schema: challengeSchema });
    const signature = await fan.wallet.signMessage({ message });
    const body = { challenge_id, signature };
    const linked = await profile(`/user/wallets/${address}`, fan, { method: 'PUT', body });
    expectSame({
      expected: address,
      seen: bodyOf(linked, { status: 200, schema: z.object({ address: z.string() }) }).address,
    });
    return address;
  };

  const claim = async (fan: Fan, { contract, id }: { readonly contract: string; readonly id: string }) =>
    bodyOf(
      await profile(`/user/tokens/${contract}/claim`, fan, { body: { address: fan.wallet.address, id } }),
      {
        status: 200,
        schema: z.object({ status: z.literal('pending'), transaction_hash: z.string() }),
      },
    );

  /** What the fan is told of a token: only what happened while it was the fan's. */
  const historyOf = async (
    fan: Fan,
    { contract, id }: { readonly contract: string; readonly id: string },
  ) => {
    const answer = await profile(`/user/tokens/${contract}/${id}/history`, fan);
    return bodyOf(answer, { status: 200, schema: historySchema }).history;
  };

  const continuations = new Map<string, string>();
  const ask = async ({ name, token }: Fan, session: string, takeOver?: string): Promise<Answered> => {
    const screen = `${name} ${session}`;
    const continuation = continuations.get(screen);
    const query = new URLSearchParams({
      session,
      ...(continuation !== undefined && { continuation }),
      ...(takeOver !== undefined && { take_over: takeOver }),
    });
    const url = `${world.outputs().base_url}/api/v3/ott/events/${event}/stream?${query}`;
    const answer = await call(url, { token, signal });
    const cookies = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    if (answer.status === 200) {
      const stream = bodyOf(answer, { status: 200, schema: streamSchema });
      continuations.set(screen, stream.continuation);
      return { refusal: undefined, url: stream.url, cookies };
    }
    return { refusal: bodyOf(answer, { status: 403, schema: refusalSchema }).message, url: '', cookies };
  };

  const served = async ({ url, cookies }: Answered): Promise<number> =>
    (await call(url, { headers: { cookie: cookies }, signal })).status;

  const plays = async (fan: Fan, session: string, takeOver?: string): Promise<Answered> => {
    const answered = await eventually({
      look: () => ask(fan, session, takeOver),
      isExpected: ({ refusal }) => refusal === undefined,
      expected: 'the stream',
      withinSeconds: cacheSeconds,
      signal,
    });
    expectSame({ expected: 200, seen: await served(answered) });
    return answered;
  };

  const refused = async (fan: Fan, session: string, expected: string): Promise<string> => {
    await eventually({
      look: async () => (await ask(fan, session)).refusal,
      isExpected: (refusal) => refusal === expected,
      expected: `403 ${expected}`,
      withinSeconds: cacheSeconds,
      signal,
    });
    return `403 ${expected}`;
  };

  /** Waits until the distribution does not serve the signed stream any more. */
  const ends = async (signed: Answered): Promise<string> => {
    const { ticketSeconds } = stageSettings('local').ott;
    await eventually({
      look: () => served(signed),
      isExpected: (status) => status === 403,
      expected: 403,
      withinSeconds: ticketSeconds,
      signal,
    });
    return `403 from the distribution, within ${ticketSeconds} s`;
  };

  return { register, identifierOf, link, claim, historyOf, ask, plays, refused, ends };
};

export const removeFan = async (target: Target, userSub: string): Promise<void> => {
  await removeUser({ users: usersOf(target), clock: systemClock }, { userSub });
};
