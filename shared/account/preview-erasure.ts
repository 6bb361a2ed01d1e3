import type { UserTokens } from '../nft/ports/held-tokens.ts';
import { standInOf } from '../nft/reservations/stand-in.ts';
import { isGone } from '../nft/tokens/gone.ts';
import type { Application } from '../platform/applications/application.ts';
import type { Applications } from '../platform/applications/ports/applications.ts';
import { inParallel } from '../platform/in-parallel.ts';
import type { ApplicationUserSub } from '../users/application-user-sub.ts';
import { isInAudience } from '../users/audience.ts';
import { UserNotFoundError } from '../users/errors.ts';
import type { ApplicationUserSubs } from '../users/ports/application-user-subs.ts';
import type { Users } from '../users/ports/users.ts';
import type { Wallets } from '../wallets/ports/wallets.ts';
import { holderOf } from '../wallets/wallet.ts';
import { type Kept, type KeptDays, keptAfterErasure } from './kept.ts';

export interface PreviewErasureDependencies {
  readonly users: Pick<Users, 'find'>;
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration'>;
  readonly wallets: Pick<Wallets, 'find'>;
  readonly applications: Pick<Applications, 'list'>;
  readonly userTokens: UserTokens;
  readonly keptDays: KeptDays;
}

/** What an erasure means for an application that knows the user. */
export interface ApplicationPreview {
  readonly name: string;
  /** Whether the application hears of the erasure. */
  readonly isNotified: boolean;
  /** How many tokens are the application's again, to give to others. */
  readonly reservedTokens: number;
  /** How many tokens stay in the wallets to which the user had them minted. */
  readonly claimedTokens: number;
}

/** What an erasure would delete of a user, and what stays. */
export interface ErasurePreview {
  readonly registeredAt: string;
  /** The keys of the user's data. */
  readonly dataKeys: readonly string[];
  readonly agreements: number;
  readonly wallets: number;
  readonly applications: readonly ApplicationPreview[];
  readonly kept: readonly Kept[];
}

const pageSize = 100;
/** Of one application. A user with more tokens of it learns of so many. */
export const tokensCountedAtMost = 1_000;
const applicationsAtOnce = 8;

const countTokens = async (
  { userTokens }: Pick<PreviewErasureDependencies, 'userTokens'>,
  { applicationId, applicationUserSub }: ApplicationUserSub,
): Promise<Pick<ApplicationPreview, 'reservedTokens' | 'claimedTokens'>> => {
  const counted = { reservedTokens: 0, claimedTokens: 0 };
  const reservedFor = standInOf(applicationUserSub);
  let after: string | undefined;
  for (let page = 0; page < tokensCountedAtMost / pageSize; page += 1) {
    const { items, next } = await userTokens.list({
      applicationId,
      reservedFor,
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    for (const token of items) {
      if (token.status === 'reserved') counted.reservedTokens += 1;
      else if (token.status !== 'failed' && !isGone(token)) counted.claimedTokens += 1;
    }
    if (next === undefined) break;
    after = next;
  }
  return counted;
};

/** @throws UserNotFoundError */
export const previewErasure = async (
  { users, subs, wallets, applications, userTokens, keptDays }: PreviewErasureDependencies,
  { userSub }: { readonly userSub: string },
): Promise<ErasurePreview> => {
  const user = await users.find(userSub);
  if (user === undefined) throw new UserNotFoundError();
  const { registrationId } = user;
  const [own, linked, all] = await Promise.all([
    subs.ofRegistration(registrationId),
    wallets.find(holderOf(userSub)),
    applications.list(),
  ]);
  const previewOf = async (application: Application): Promise<readonly ApplicationPreview[]> => {
    const sub = own.get(application.id);
    const isNotified = isInAudience(application, sub);
    if (application.kind !== undefined || (sub === undefined && !isNotified)) return [];
    const tokens =
      sub === undefined ? { reservedTokens: 0, claimedTokens: 0 } : await countTokens({ userTokens }, sub);
    return [{ name: application.name, isNotified, ...tokens }];
  };
  const previews = await inParallel(all, { atOnce: applicationsAtOnce, run: previewOf });
  return {
    registeredAt: user.registeredAt,
    dataKeys: Object.keys(user.data),
    agreements: user.agreements.length,
    wallets: linked?.registrationId === registrationId ? linked.wallets.length : 0,
    applications: previews.flat().toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    kept: keptAfterErasure(keptDays),
  };
};
