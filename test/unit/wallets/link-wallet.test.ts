import { waitFor } from 'template-runtime/testing/wait.ts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, it, vi } from 'vitest';
import { type Address, lowerCase } from '../../../shared/chain/hex.ts';
import { linkWallet } from '../../../shared/wallets/link-wallet.ts';
import type { WalletChange, Wallets } from '../../../shared/wallets/ports/wallets.ts';
import { holderOf, type Ownership, type UserWallets } from '../../../shared/wallets/wallet.ts';

const now = 1_800_000_000_000;
const former = { userSub: 'user', registrationId: 'former', version: 1 };
const left = {
  address: '0x00000000000000000000000000000000000000aa',
  linkedAt: 1,
  opensFrom: 1,
  proof: 'proof',
} as const;

const aChallenge = (address: Address) => ({
  id: '0'.repeat(32),
  userSub: 'user',
  registrationId: 'new',
  address,
  origin: 'https://tickets.example.com',
  message: 'Sign this',
  issuedAt: now,
  endsAt: now + 1_000,
  attempts: 0,
});

it('refuses a wrong signature only when the attempt is counted', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const challenge = aChallenge(lowerCase(account.address));
  const counted = Promise.withResolvers<boolean>();
  const takeAttempt = vi.fn(() => counted.promise);
  const steps: string[] = [];

  const linking = linkWallet(
    {
      challenges: { find: async () => challenge, takeAttempt },
      wallets: { find: async () => undefined, hasEnded: async () => false } as unknown as Wallets,
      contracts: { isValid: async () => false },
      ticketSeconds: 300,
      clock: () => now,
    },
    {
      userSub: 'user',
      address: challenge.address,
      challengeId: challenge.id,
      signature: await account.signMessage({ message: 'Sign something else' }),
      origin: undefined,
    },
  ).catch(({ code }) => steps.push(code));
  await waitFor(() => expect(takeAttempt).toHaveBeenCalled());
  steps.push('counted');
  counted.resolve(true);
  await linking;

  expect(steps).toEqual(['counted', 'SIGNATURE_INVALID']);
});

it('frees the wallets that an interrupted removal has left before the user’s next registration links one', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const address = lowerCase(account.address);
  const challenge = aChallenge(address);
  let list: UserWallets | undefined = { ...former, wallets: [left] };
  const owned: Ownership = {
    address: left.address,
    holder: holderOf('user'),
    registrationId: 'former',
    provenAt: 1,
    opensFrom: 1,
    version: 1,
  };
  const ownerships = new Map([[owned.address, owned]]);
  const written: WalletChange[] = [];
  const wallets: Wallets = {
    find: async () => list,
    ownershipOf: async (wanted) => ownerships.get(wanted),
    hasEnded: async (registrationId) => registrationId === 'former',
    write: async (change) => {
      written.push(change);
      list = change.users[0]?.after;
      for (const { after } of change.ownerships) ownerships.set(after.address, after);
      return 'written';
    },
  };

  await linkWallet(
    {
      challenges: { find: async () => challenge, takeAttempt: async () => true },
      wallets,
      contracts: { isValid: async () => false },
      ticketSeconds: 300,
      clock: () => now,
    },
    {
      userSub: 'user',
      address,
      challengeId: challenge.id,
      signature: await account.signMessage({ message: 'Sign this' }),
      origin: undefined,
    },
  );

  expect(written).toHaveLength(2);
  expect(ownerships.get(left.address)).toMatchObject({ registrationId: 'former', freedAt: now });
  expect(list).toMatchObject({ registrationId: 'new', wallets: [{ address }] });
});
