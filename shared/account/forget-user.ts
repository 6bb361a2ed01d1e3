import type { UserClaims } from '../nft/ports/user-claims.ts';
import { standInOf } from '../nft/reservations/stand-in.ts';
import type { Registration } from '../users/application-user-sub.ts';
import type { ApplicationUserSubs } from '../users/ports/application-user-subs.ts';
import type { Users } from '../users/ports/users.ts';
import {
  type UnlinkWalletsDependencies,
  unlinkFormerWallets,
  unlinkWallets,
} from '../wallets/unlink-wallets.ts';

export interface ForgetClaimsDependencies {
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration'>;
  readonly claims: UserClaims;
}

export type ForgetUserDependencies = UnlinkWalletsDependencies & ForgetClaimsDependencies;

/**
 * A registration has an identifier in each application whose tokens it has claimed. The identifiers of an ended one are
 * kept for 30 days.
 */
const forgetClaims = async (
  { subs, claims }: ForgetClaimsDependencies,
  { registrationId }: Pick<Registration, 'registrationId'>,
): Promise<void> => {
  for (const { applicationId, applicationUserSub } of (await subs.ofRegistration(registrationId)).values()) {
    await claims.forget({ applicationId, reservedFor: standInOf(applicationUserSub) });
  }
};

/**
 * Deletes what areas besides the user's data store of a registration that has ended. Nothing of it is added after the
 * end: the writes that link a wallet or claim a token require that the registration has not ended. May be repeated.
 */
export const forgetUser = async (
  dependencies: ForgetUserDependencies,
  registration: Registration,
): Promise<void> => {
  await unlinkWallets(dependencies, registration);
  await forgetClaims(dependencies, registration);
};

interface Since {
  /** A `date_time`. */
  readonly since: string;
}

/** Forgets the claims of all registrations that have ended since. Returns how many these are. */
export const forgetClaimsOfEnded = async (
  { users, ...dependencies }: ForgetClaimsDependencies & { readonly users: Pick<Users, 'endedSince'> },
  { since }: Since,
): Promise<number> => {
  let ended = 0;
  for await (const registration of users.endedSince(since)) {
    await forgetClaims(dependencies, registration);
    ended += 1;
  }
  return ended;
};

export type ForgetEndedDependencies = ForgetUserDependencies & {
  readonly users: Pick<Users, 'changedSince' | 'endedSince' | 'registrationsOf'>;
};

/**
 * `forgetUser` for all registrations that have ended since. Wallets are found by their user, who may have registered
 * again.
 */
export const forgetEnded = async (
  dependencies: ForgetEndedDependencies,
  { since }: Since,
): Promise<number> => {
  for await (const { userSub } of dependencies.users.changedSince(since)) {
    await unlinkFormerWallets(dependencies, userSub);
  }
  return forgetClaimsOfEnded(dependencies, { since });
};
