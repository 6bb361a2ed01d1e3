import type { Application } from '../applications/application.ts';
import { inParallel } from '../in-parallel.ts';
import type { Notification } from '../notifications/message.ts';
import { isInAudience } from './application-user-sub.ts';
import type { UserChange } from './change-record.ts';
import type { ApplicationUserSubs } from './ports/application-user-subs.ts';

const applicationsAtOnce = 10;

export interface NotificationsOfDependencies {
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'ensure'>;
}

/** The messages of one change: one for each application of the audience, whose identifier is made if need be. */
export const notificationsOf = async (
  { subs }: NotificationsOfDependencies,
  { change, applications }: { readonly change: UserChange; readonly applications: readonly Application[] },
): Promise<Notification[]> => {
  const { registrationId, userSub, changedAt } = change;
  const known = await subs.ofRegistration(registrationId);
  const audience = applications.filter((application) => isInAudience(application, known.get(application.id)));
  return inParallel(audience, {
    atOnce: applicationsAtOnce,
    run: async ({ id: applicationId }) => {
      const { applicationUserSub } =
        known.get(applicationId) ?? (await subs.ensure({ registrationId, userSub, applicationId }));
      return {
        applicationId,
        message: { operationType: 'data_update', applicationUserSub, dateTime: changedAt },
      };
    },
  });
};
