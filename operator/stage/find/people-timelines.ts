import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { UserTokens } from '../../../shared/nft/ports/held-tokens.ts';
import type { HistoryLines } from '../../../shared/nft/ports/history-lines.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import { userOperationTypes } from '../../../shared/notifications/messages/message.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';
import type { Users } from '../../../shared/users/ports/users.ts';
import type { Wallets } from '../../../shared/wallets/ports/wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { quoted } from '../../platform/terminal/quoted.ts';
import { type SubjectDependencies, sentMoments } from './notification-moments.ts';
import { inTime, moment, type Timeline, unknown } from './timeline.ts';

export interface PeopleTimelineDependencies extends SubjectDependencies {
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'applicationOf' | 'registrationOf'>;
  readonly users: Pick<Users, 'trace'>;
  readonly userTokens: UserTokens;
  readonly lines: Pick<HistoryLines, 'givenBy'>;
  readonly wallets: Pick<Wallets, 'find' | 'ownershipOf'>;
}

/** What is stored about a user, except the user data itself, which only `users show` prints. */
export const findUser = async (
  { users, subs, wallets }: Pick<PeopleTimelineDependencies, 'users' | 'subs' | 'wallets'>,
  userSub: string,
): Promise<Timeline | undefined> => {
  const trace = await users.trace(userSub);
  if (trace === undefined) return undefined;
  const { registrationId, version, changedAt, isRemoved } = trace;
  const called = registrationId === undefined ? new Map() : await subs.ofRegistration(registrationId);
  const names = [...called.values()];
  const isFirst = version === 1 && !isRemoved;
  const stored = await wallets.find(holderOf(userSub));
  const linked = stored?.registrationId === registrationId ? (stored?.wallets ?? []) : [];
  return {
    kind: 'user',
    id: userSub,
    fields: {
      state: isRemoved ? 'removed' : 'registered',
      version,
      applications_that_know_it: names.map(({ applicationId }) => applicationId).join(', ') || 'none',
    },
    moments: [
      ...(isFirst
        ? []
        : [unknown('only the last change is recorded, not the time of registration or earlier changes')]),
      ...inTime([
        ...linked.map(({ address, linkedAt }) =>
          moment(new Date(linkedAt).toISOString(), `linked the wallet ${checksummed(address)}`),
        ),
        moment(
          changedAt,
          isRemoved ? 'removed' : isFirst ? 'registered' : `last changed, to version ${version}`,
        ),
      ]),
    ],
    related: names.flatMap(({ applicationId, applicationUserSub }) => [applicationUserSub, applicationId]),
    commands: isRemoved ? [] : [`users show ${quoted(userSub)}`],
  };
};

/** Finds a linked wallet by its address, and the user who linked it. */
export const findWallet = async (
  dependencies: Pick<PeopleTimelineDependencies, 'users' | 'subs' | 'wallets'>,
  address: Address,
): Promise<Timeline | undefined> => {
  const ownership = await dependencies.wallets.ownershipOf(address);
  if (ownership === undefined || ownership.freedAt !== undefined) return undefined;
  const { registrationId, holder, opensFrom } = ownership;
  const owner = await dependencies.wallets.find(holder);
  const wallet = owner?.wallets.find((each) => each.address === address);
  if (owner?.registrationId !== registrationId || wallet === undefined) return undefined;
  const user = await findUser(dependencies, owner.userSub);
  return {
    kind: 'wallet',
    id: checksummed(address),
    fields: { user: owner.userSub, user_is: user?.fields.state },
    moments: inTime([
      moment(new Date(wallet.linkedAt).toISOString(), 'linked by the user'),
      moment(
        new Date(opensFrom).toISOString(),
        'from this time on, tickets in this wallet give access to events',
      ),
    ]),
    related: [owner.userSub],
    commands: user?.commands ?? [],
  };
};

/** How many of the tokens that are reserved for a user, or claimed, are named, and how many that the user gave away. */
const newestTokens = 5;

/**
 * Finds the user and the application that an `application_user_sub` belongs to, the tokens that the application has
 * reserved for the user, and those that were given from this user to another.
 */
export const findApplicationUserSub = async (
  dependencies: Pick<PeopleTimelineDependencies, 'users' | 'subs' | 'wallets' | 'userTokens' | 'lines'> &
    SubjectDependencies,
  applicationUserSub: string,
): Promise<Timeline | undefined> => {
  const applicationId = await dependencies.subs.applicationOf(applicationUserSub);
  if (applicationId === undefined) return undefined;
  const registration = await dependencies.subs.registrationOf({ applicationId, applicationUserSub });
  const user = registration && (await findUser(dependencies, registration.userSub));
  const sent = await Promise.all(
    userOperationTypes
      // The identifier in a test notification belongs to no user.
      .filter((operationType) => operationType !== 'test')
      .map((operationType) => ({ operationType, applicationUserSub, dateTime: '' }))
      .map((message) => sentMoments(dependencies, { applicationId, message })),
  );
  const standIn = standInOf(applicationUserSub);
  const [tokens, given] = await Promise.all([
    dependencies.userTokens.list({ applicationId, reservedFor: standIn, limit: newestTokens }),
    dependencies.lines.givenBy({ giver: standIn, limit: newestTokens }),
  ]);
  return {
    kind: 'application_user_sub',
    id: applicationUserSub,
    fields: { application: applicationId, user: registration?.userSub, user_is: user?.fields.state },
    moments: [
      unknown('there is no record of when the application got this identifier'),
      ...inTime([
        ...(user?.moments ?? []),
        ...tokens.items.map(({ contract, tokenId, createdAt }) =>
          moment(createdAt, `token ${tokenId} of ${checksummed(contract)} was reserved`),
        ),
        ...given.map(({ contract, tokenId, at }) =>
          moment(at, `token ${tokenId} of ${checksummed(contract)} was given to another user`),
        ),
        ...sent.flat(),
      ]),
    ],
    related: [
      ...(registration === undefined ? [] : [registration.userSub]),
      applicationId,
      ...new Set(
        [...tokens.items, ...given].map(({ contract, tokenId }) => `${checksummed(contract)}/${tokenId}`),
      ),
    ],
    commands: user?.commands ?? [],
  };
};
