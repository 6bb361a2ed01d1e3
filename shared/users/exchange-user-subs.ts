import type { Application } from '../applications/application.ts';
import { type ApplicationUserSubs, isInAudience } from './application-user-sub.ts';
import { inParallel } from './in-parallel.ts';
import type { Users } from './repository.ts';

export interface ExchangedUserSub {
  readonly user_sub: string;
  readonly application_user_sub: string | null;
}

/**
 * What an application calls each of these users, in the order given. Null stands for an unknown user and for
 * one outside the application's audience alike.
 */
export const exchangeUserSubs =
  ({
    users,
    subs,
  }: {
    readonly users: Pick<Users, 'registrationsOf'>;
    readonly subs: Pick<ApplicationUserSubs, 'findMany' | 'ensure'>;
  }) =>
  async (application: Application, userSubs: readonly string[]): Promise<ExchangedUserSub[]> => {
    const applicationId = application.id;
    const registrations = await users.registrationsOf([...new Set(userSubs)]);
    const known = await subs.findMany({ registrationIds: [...registrations.values()], applicationId });
    const exchange = async ([userSub, registrationId]: readonly [string, string]) => {
      const existing = known.get(registrationId);
      if (!isInAudience(application, existing)) return [userSub, null] as const;
      const sub = existing ?? (await subs.ensure({ registrationId, userSub, applicationId }));
      return [userSub, sub.applicationUserSub] as const;
    };
    const exchanged = new Map(await inParallel([...registrations], { atOnce: 20, run: exchange }));
    return userSubs.map((userSub) => ({
      user_sub: userSub,
      application_user_sub: exchanged.get(userSub) ?? null,
    }));
  };
