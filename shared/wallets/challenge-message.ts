import { createSiweMessage, SiweInvalidMessageFieldError, type SiweMessage } from 'viem/siwe';
import { zeroAddress } from '../chain/hex.ts';
import type { User } from '../users/user.ts';

const nameLengthAtMost = 64;

/**
 * A Sign-In with Ethereum message (EIP-4361) that names a web page by its origin.
 * @throws SiweInvalidMessageFieldError if the message cannot name the origin.
 */
export const signInMessage = ({
  origin,
  ...fields
}: Omit<SiweMessage, 'domain' | 'uri' | 'version'> & { readonly origin: string }): string =>
  createSiweMessage({ ...fields, domain: new URL(origin).host, uri: origin, version: '1' });

/**
 * Whether a message can name the origin. viem refuses hosts that EIP-4361 allows, such as one that ends in `.xn--p1ai`.
 */
export const canBeNamed = (origin: string): boolean => {
  try {
    signInMessage({ origin, address: zeroAddress, chainId: 1, nonce: '0'.repeat(32) });
    return true;
  } catch (error) {
    if (error instanceof SiweInvalidMessageFieldError) return false;
    throw error;
  }
};

/** Names the account, so that a person who is tricked into signing for a stranger's account can notice. */
export const statementFor = (account: string): string =>
  `Link this wallet to ${account}. That account can then watch the streams that tickets in this wallet open. Do not sign if the account is not yours.`;

/** The account in words that its owner recognises and that its user cannot choose. People do not know their `sub`. */
export const accountName = (
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
