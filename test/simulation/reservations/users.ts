/** Users of the simulated applications: their identifiers, wallets and removals. */
import type { Address } from '../../../shared/chain/hex.ts';
import { reservationHolder } from '../../../shared/nft/reservations/holder.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import type { History } from '../history.ts';
import { stage } from '../service.ts';
import type { Store } from '../store.ts';

export const usersPerApplication = 3;

export interface SimulatedUser {
  readonly applicationId: string;
  readonly number: number;
}

export interface UserEvent extends SimulatedUser {
  readonly kind: 'link' | 'unlink' | 'remove';
  readonly at: number;
}

export const userSubOf = ({ applicationId, number }: SimulatedUser): string =>
  `user-${number}-of-${applicationId}`;

const hexOfText = (text: string): string => Buffer.from(text).toString('hex').padEnd(32, '0').slice(0, 32);

export const applicationUserSubOf = ({ applicationId, number }: SimulatedUser): string =>
  hexOfText(`${number}${applicationId}`);

const registrationIdOf = (user: SimulatedUser): string => `registration of ${userSubOf(user)}`;

export const holderOfUser = (user: SimulatedUser, contract: Address): string =>
  reservationHolder({ registrationId: registrationIdOf(user), contract });

/** Each user has one wallet. */
export const walletOf = ({ applicationId, number }: SimulatedUser): Address =>
  `0x${Buffer.from(`${applicationId}${number}`).toString('hex').padStart(40, 'a')}`;

export const everyUser = (applications: readonly string[]): SimulatedUser[] =>
  applications.flatMap((applicationId) =>
    Array.from({ length: usersPerApplication }, (_, index) => ({ applicationId, number: index + 1 })),
  );

export const userEvents = ({
  store,
  history,
  applications,
  startsAt,
}: {
  readonly store: Store;
  readonly history: History;
  readonly applications: readonly string[];
  readonly startsAt: number;
}) => {
  const setWallets = (user: SimulatedUser, linkedAt: number | undefined): void => {
    store.put({
      TableName: stage.WALLETS_TABLE,
      Item: {
        pk: `USER#${holderOf(userSubOf(user))}`,
        user_sub: userSubOf(user),
        registration_id: registrationIdOf(user),
        version: 1,
        wallets:
          linkedAt === undefined
            ? []
            : [{ address: walletOf(user), linked_at: linkedAt, opens_from: linkedAt, proof: '' }],
      },
    });
  };
  const setRegistration = (user: SimulatedUser, isRemoved: boolean): void => {
    store.put({
      TableName: stage.USERS_TABLE,
      Item: {
        user_sub: userSubOf(user),
        registration_id: registrationIdOf(user),
        is_removed: isRemoved,
      },
    });
  };
  return {
    register: (): void => {
      for (const user of everyUser(applications)) {
        const { applicationId } = user;
        setRegistration(user, false);
        setWallets(user, 0);
        const identifier = {
          application_id: applicationId,
          application_user_sub: applicationUserSubOf(user),
        };
        const sk = `APPLICATION#${applicationId}`;
        store.put({
          TableName: stage.SUBS_TABLE,
          Item: { ...identifier, pk: `REGISTRATION#${registrationIdOf(user)}`, sk, is_linked: true },
        });
        store.put({
          TableName: stage.SUBS_TABLE,
          Item: {
            ...identifier,
            pk: `SUB#${applicationUserSubOf(user)}`,
            sk,
            user_sub: userSubOf(user),
            registration_id: registrationIdOf(user),
          },
        });
      }
    },
    happen: ({ kind, at, ...user }: UserEvent): void => {
      history.say('user', `${userSubOf(user)}: ${kind}`);
      if (kind === 'remove') setRegistration(user, true);
      else setWallets(user, kind === 'link' ? startsAt + at : undefined);
    },
  };
};
