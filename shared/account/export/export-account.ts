import type { SessionStore } from '../../ott/ports/session-store.ts';
import type { ViewerSessions } from '../../ott/sessions/viewer-sessions.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { User } from '../../users/user.ts';
import type { Challenges } from '../../wallets/ports/challenges.ts';
import type { Wallets } from '../../wallets/ports/wallets.ts';
import { holderOf, type LinkedWallet } from '../../wallets/wallet.ts';

export interface ExportAccountDependencies {
  readonly wallets: Pick<Wallets, 'find' | 'ownershipOf'>;
  readonly challenges: Pick<Challenges, 'made'>;
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly clock: Clock;
}

export interface ExportedWallet extends LinkedWallet {
  /** When the message was issued whose signature proved last that the user controls the wallet. Epoch milliseconds. */
  readonly provenAt: number | undefined;
}

/** What a limit counts. */
export interface ExportedCount {
  readonly what: 'changes' | 'erasures' | 'wallet_challenges';
  /** Epoch milliseconds. */
  readonly since: number;
  readonly count: number;
}

/** All that is stored of a user, but for what belongs to one application alone. */
export interface ExportedAccount {
  readonly user: User;
  readonly wallets: readonly ExportedWallet[];
  /** `undefined` if the user has played no stream whose sessions are counted for at least a day. */
  readonly sessions: ViewerSessions | undefined;
  readonly counts: readonly ExportedCount[];
}

const hourMilliseconds = 60 * 60 * 1_000;

const walletsOf = async (
  { wallets }: Pick<ExportAccountDependencies, 'wallets'>,
  { userSub, registrationId }: User,
): Promise<readonly ExportedWallet[]> => {
  const stored = await wallets.find(holderOf(userSub));
  const own = stored?.registrationId === registrationId ? stored.wallets : [];
  return Promise.all(
    own.map(async (wallet) => {
      const ownership = await wallets.ownershipOf(wallet.address);
      const isOwn = ownership?.registrationId === registrationId;
      return { ...wallet, provenAt: isOwn ? ownership.provenAt : undefined };
    }),
  );
};

const countsOf = async (
  { challenges, clock }: Pick<ExportAccountDependencies, 'challenges' | 'clock'>,
  { userSub, hour: changes, day: erasures }: User,
): Promise<readonly ExportedCount[]> => {
  const hour = Math.floor(clock() / hourMilliseconds);
  const made = await challenges.made({ holder: holderOf(userSub), hour });
  return [
    ...(changes === undefined
      ? []
      : [{ what: 'changes' as const, since: changes.beganAt, count: changes.changes }]),
    ...(erasures === undefined
      ? []
      : [{ what: 'erasures' as const, since: erasures.beganAt, count: erasures.erasures }]),
    ...(made === 0
      ? []
      : [{ what: 'wallet_challenges' as const, since: hour * hourMilliseconds, count: made }]),
  ];
};

export const exportAccount = async (
  dependencies: ExportAccountDependencies,
  user: User,
): Promise<ExportedAccount> => {
  const [wallets, stored, counts] = await Promise.all([
    walletsOf(dependencies, user),
    dependencies.sessions.find(user.userSub),
    countsOf(dependencies, user),
  ]);
  return { user, wallets, sessions: stored?.sessions, counts };
};
