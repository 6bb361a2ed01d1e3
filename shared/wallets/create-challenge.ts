import { type Address, checksummed } from '../chain/hex.ts';
import type { Clock } from '../platform/time/clock.ts';
import { UserNotFoundError } from '../users/errors.ts';
import type { Users } from '../users/ports/users.ts';
import { accountName, signInMessage, statementFor } from './challenge-message.ts';
import { TooManyChallengesError } from './errors.ts';
import type { Challenge, Challenges } from './ports/challenges.ts';
import { holderOf } from './wallet.ts';

const challengesAnHour = 10;
const lifetimeMilliseconds = 10 * 60 * 1_000;
const hourMilliseconds = 60 * 60 * 1_000;

export interface CreateChallengeDependencies {
  readonly users: Pick<Users, 'find'>;
  readonly challenges: Pick<Challenges, 'count' | 'create'>;
  readonly chainId: number;
  /**
   * Whether only the operator can write a user's stored e-mail address. If users can write it, they can enter another
   * person's address.
   */
  readonly isEmailTrusted: boolean;
  readonly clock: Clock;
  /** 128 random bits in hexadecimal. */
  readonly randomHex: () => string;
}

/**
 * Creates a Sign-In with Ethereum message (EIP-4361) for a wallet to sign.
 * @throws UserNotFoundError, TooManyChallengesError.
 */
export const createChallenge = async (
  { users, challenges, chainId, isEmailTrusted, clock, randomHex }: CreateChallengeDependencies,
  {
    userSub,
    applicationName,
    address,
    origin,
  }: {
    readonly userSub: string;
    readonly applicationName: string;
    readonly address: Address;
    /** The origin of the web page on which the user signs with the wallet. It is one of the application's origins. */
    readonly origin: string;
  },
): Promise<Challenge> => {
  const user = await users.find(userSub);
  if (user === undefined) throw new UserNotFoundError();
  const now = clock();
  const hour = Math.floor(now / hourMilliseconds);
  if (!(await challenges.count({ holder: holderOf(userSub), hour, atMost: challengesAnHour }))) {
    const retryAfterSeconds = Math.ceil(((hour + 1) * hourMilliseconds - now) / 1_000);
    throw new TooManyChallengesError({ retryAfterSeconds });
  }
  // The message contains its times in whole milliseconds, so fractions of a millisecond would be lost.
  const issuedAt = Math.floor(now);
  const endsAt = issuedAt + lifetimeMilliseconds;
  const message = signInMessage({
    origin,
    address: checksummed(address),
    statement: statementFor(accountName(user, { isEmailTrusted, applicationName })),
    chainId,
    nonce: randomHex(),
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(endsAt),
  });
  const { registrationId } = user;
  const challenge = {
    id: randomHex(),
    userSub,
    registrationId,
    address,
    origin,
    message,
    issuedAt,
    endsAt,
    attempts: 0,
  };
  await challenges.create(challenge);
  return challenge;
};
