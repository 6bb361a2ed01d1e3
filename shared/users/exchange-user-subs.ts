import type { Application } from '../platform/applications/application.ts';
import { inParallel } from '../platform/in-parallel.ts';
import { isInAudience } from './audience.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';
import type { Users } from './ports/users.ts';

export interface ExchangedUserSub {
  readonly userSub: string;
  readonly applicationUserSub: string | null;
}

export interface ExchangeUserSubsDependencies {
  readonly users: Pick<Users, 'registrationsOf'>;
  readonly subs: Pick<ApplicationUserSubs, 'findMany' | 'ensure'>;
}

/**
 * The application's identifiers for users, in the order of `userSubs`. Null for a user who is unknown or outside of the
 * application's audience.
 */
export const exchangeUserSubs = async (
  { users, subs }: ExchangeUserSubsDependencies,
  {
    application,
    userSubs,
  }: {
    readonly application: Pick<Application, 'id' | 'audience'>;
    readonly userSubs: readonly string[];
  },
): Promise<ExchangedUserSub[]> => {
  const applicationId = application.id;
  const registrations = await users.registrationsOf([...new Set(userSubs)]);
  const known = await subs.findMany({ registrationIds: [...registrations.values()], applicationId });
  const exchange = async ([userSub, registrationId]: readonly [string, string]) => {
    const existing = known.get(registrationId);
    if (!isInAudience(application, existing)) return [userSub, null] as const;
    const sub = existing ?? (await subs.ensure({ registrationId, userSub, applicationId }));
    return [userSub, sub?.applicationUserSub ?? null] as const;
  };
  const exchanged = new Map(await inParallel([...registrations], { atOnce: 20, run: exchange }));
  return userSubs.map((userSub) => ({ userSub, applicationUserSub: exchanged.get(userSub) ?? null }));
};
