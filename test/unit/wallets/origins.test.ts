import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../../operator/stage/applications/configure-application.ts';
import type { User } from '../../../shared/users/user.ts';
import { createChallenge } from '../../../shared/wallets/create-challenge.ts';

const user: User = {
  userSub: 'user',
  registrationId: 'registration',
  version: 1,
  changedAt: '2026-05-29T09:00:00.000000',
  registeredAt: '2026-05-29T09:00:00.000000',
  data: {},
  agreements: [],
};

const configuredOrigins = (...origins: string[]): readonly string[] => {
  const text = JSON.stringify({ wallets: { origins } });
  return readConfiguration({ file: 'acme.json', text, signing: 'none' }).wallets?.origins ?? [];
};

const challengeFor = (origin: string) =>
  createChallenge(
    {
      users: { find: async () => user },
      challenges: { count: async () => true, create: async () => {} },
      chainId: 137,
      isEmailTrusted: false,
      clock: () => 1_800_000_000_000,
      randomHex: () => '0123456789abcdef0123456789abcdef',
    },
    {
      userSub: user.userSub,
      applicationName: 'Acme',
      address: '0x00000000000000000000000000000000000000aa',
      origin,
    },
  );

describe('an origin on which users link wallets', () => {
  it.each([
    'https://www.example.com',
    'https://fans.example:8443',
    'https://xn--fuball-cta.example',
    'https://203.0.113.7',
    'https://localhost',
    'http://localhost:6180',
    'http://127.0.0.1:6180',
  ])('is accepted if a wallet can sign for it: %s', async (origin) => {
    const [accepted = ''] = configuredOrigins(origin);

    const { message } = await challengeFor(accepted);

    expect(message).toContain(`${new URL(origin).host} wants you to sign in`);
    expect(message).toContain(`URI: ${origin}\n`);
  });

  it.each([
    'https://xn--e1afmkfd.xn--p1ai',
    'https://fans',
    'https://my_club.example.com',
    'https://example.com.',
    'https://[2001:db8::7]',
  ])('is refused if no message for wallets can name it: %s', (origin) => {
    expect(() => configuredOrigins('https://www.example.com', origin)).toThrow(
      /wallets\.origins, entry 2: cannot be named in the message that wallets sign/,
    );
  });

  it.each(['https://www.example.com/', 'http://www.example.com', 'www.example.com'])(
    'is refused if it is none that a browser sends from a safe page: %s',
    (origin) => {
      expect(() => configuredOrigins(origin)).toThrow(/wallets\.origins, entry 1: must be an origin/);
    },
  );
});
