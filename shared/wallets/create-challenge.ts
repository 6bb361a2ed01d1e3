import { type Address, checksummed } from '../chain/hex.ts';
import type { Clock } from '../platform/clock.ts';
import { UserNotFoundError } from '../users/errors.ts';
import type { Users } from '../users/ports/users.ts';
import type { User } from '../users/user.ts';
import { TooManyChallengesError } from './errors.ts';
import type { Challenge, Challenges } from './ports/challenges.ts';
import { signInMessage } from './sign-in-message.ts';
import { holderOf } from './wallet.ts';

const challengesAnHour = 10;
const lifetimeMilliseconds = 10 * 60 * 1_000;
const hourMilliseconds = 60 * 60 * 1_000;
const nameLengthAtMost = 64;

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

/** Names the account, so that a person who is tricked into signing for a stranger's account can notice. */
const statementFor = (account: string): string =>
  `Link this wallet to ${account}. That account can then watch the streams that tickets in this wallet open. Do not sign if the account is not yours.`;

/** The account in words that its owner recognises and that its user cannot choose. People do not know their `sub`. */
const accountName = (
  { data, registeredAt }: User,
  { isEmailTrusted, applicationName }: { readonly isEmailTrusted: boolean; readonly applicationName: string },
): string => {
  const email = isEmailTrusted && typeof data.email === 'string' ? maskedEmail(data.email) : undefined;
  if (email !== undefined) return `the account ${written(email)}`;
  const [, day, time] = /^(\S+?)T(\d\d:\d\d)/.exec(registeredAt) ?? [];
  return `the account at ${written(applicationName)} that was made on ${day} at ${time} UTC`;
};

const maskedEmail = (email: string): string | undefined => {
  const [, first, domain] = /^(.)[^@]*@([^@]+)$/u.exec(email) ?? [];
  return first === undefined ? undefined : `${first}***@${domain}`;
};

/**
 * In a statement, EIP-4361 allows only the characters of RFC 3986 and spaces. A wallet may refuse a message with other
 * characters.
 */
const written = (name: string): string =>
  name.replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]/gu, '?').slice(0, nameLengthAtMost);
