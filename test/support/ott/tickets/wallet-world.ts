import type { PrivateKeyAccount } from 'viem/accounts';
import { forgetUser } from '../../../../shared/account/forget-user.ts';
import { lowerCase } from '../../../../shared/chain/hex.ts';
import { newRandomId } from '../../../../shared/platform/random-id.ts';
import { putUserData } from '../../../../shared/users/put-user-data.ts';
import { removeUser } from '../../../../shared/users/remove-user.ts';
import { dynamoDbUsers } from '../../../../shared/users/store/users.ts';
import type { UserDataChange } from '../../../../shared/users/user-data.ts';
import { createChallenge } from '../../../../shared/wallets/create-challenge.ts';
import { type LinkWalletDependencies, linkWallet } from '../../../../shared/wallets/link-wallet.ts';
import { openWallets } from '../../../../shared/wallets/open-wallets.ts';
import { dynamoDbChallenges } from '../../../../shared/wallets/store/challenges.ts';
import { dynamoDbWallets } from '../../../../shared/wallets/store/wallets.ts';
import { unlinkWallets } from '../../../../shared/wallets/unlink-wallets.ts';
import { holderOf } from '../../../../shared/wallets/wallet.ts';
import { createTables, type TestDatabase } from '../../platform/dynamodb.ts';

export const pageOrigin = 'https://www.example.com';

/** Users with wallets, in tables of their own and with a clock that the test sets. */
export const walletWorld = async (
  database: TestDatabase,
  {
    prefix,
    contracts,
    ticketSeconds = 300,
  }: {
    readonly prefix: string;
    readonly contracts: LinkWalletDependencies['contracts'];
    readonly ticketSeconds?: number;
  },
) => {
  const tables = await createTables(
    database,
    ['Users', 'Wallets', 'Grants', 'Events', 'Nfts', 'TokenHistory'],
    prefix,
  );
  const client = database.documents;
  const users = dynamoDbUsers({
    client,
    tableName: tables.Users,
    walletsTableName: tables.Wallets,
  });
  const wallets = dynamoDbWallets({ client, tableName: tables.Wallets });
  const challenges = dynamoDbChallenges({ client, tableName: tables.Wallets });
  // Starts at the current time, because tables delete items that expired long ago.
  const time = { now: Math.floor(Date.now() / 1_000) * 1_000 };
  const clock = () => time.now;
  const unlinking = { wallets, ticketSeconds, clock };

  const challenge = (
    userSub: string,
    address: string,
    changes: Partial<{ chainId: number; origin: string; isEmailTrusted: boolean }> = {},
  ) =>
    createChallenge(
      {
        users,
        challenges,
        clock,
        chainId: changes.chainId ?? 31_337,
        isEmailTrusted: changes.isEmailTrusted ?? false,
        randomHex: newRandomId,
      },
      {
        userSub,
        applicationName: 'Acme TV',
        address: lowerCase(address as `0x${string}`),
        origin: changes.origin ?? pageOrigin,
      },
    );
  const prove = (
    userSub: string,
    proof: { readonly address: string; readonly challengeId: string; readonly signature: string },
    origin?: string,
    over: Partial<LinkWalletDependencies> = {},
  ) =>
    linkWallet(
      { challenges, wallets, contracts, ticketSeconds, clock, ...over },
      {
        userSub,
        address: lowerCase(proof.address as `0x${string}`),
        challengeId: proof.challengeId,
        signature: lowerCase(proof.signature as `0x${string}`),
        origin,
      },
    );
  const proofBy = async (userSub: string, wallet: PrivateKeyAccount) => {
    const { address } = wallet;
    const { id, message } = await challenge(userSub, address);
    return { address, challengeId: id, signature: await wallet.signMessage({ message }) };
  };

  return {
    tables,
    client,
    users,
    wallets,
    time,
    clock,
    challenge,
    proofBy,
    prove,
    register: (userSub: string, change: UserDataChange = {}) =>
      putUserData(
        { users, subs: { ensure: () => Promise.reject(new Error('nobody is told')) }, clock },
        { userSub, applicationId: undefined, change },
      ),
    link: async (userSub: string, wallet: PrivateKeyAccount) =>
      prove(userSub, await proofBy(userSub, wallet)),
    unlink: async (userSub: string, address: string) => {
      const registrationId = (await users.find(userSub))?.registrationId ?? '';
      const lower = lowerCase(address as `0x${string}`);
      await unlinkWallets(unlinking, { userSub, registrationId, address: lower });
    },
    /** Removes a user. Without `isForgotten`, the function that reads removals from the stream is late. */
    remove: async (userSub: string, isForgotten = true): Promise<boolean> => {
      const isRemoved = await removeUser({ users, clock }, { userSub });
      const { registrationId } = (await users.trace(userSub)) ?? {};
      if (isForgotten && registrationId !== undefined) {
        const forgetting = { ...unlinking, subs: { ofRegistration: async () => new Map() } };
        await forgetUser({ ...forgetting, claims: { forget: async () => {} } }, { userSub, registrationId });
      }
      return isRemoved;
    },
    /** The wallets whose tickets give the user access now. */
    open: async (userSub: string) => {
      const registrationId = (await users.registrationsOf([userSub])).get(userSub);
      return registrationId === undefined
        ? []
        : openWallets({ wallets }, { userSub, registrationId, now: clock() });
    },
    /** The linked addresses of a user, even if the registration has ended. */
    linked: async (userSub: string) =>
      ((await wallets.find(holderOf(userSub)))?.wallets ?? []).map(({ address }) => address),
  };
};
export type WalletWorld = Awaited<ReturnType<typeof walletWorld>>;
