import type { Application } from '../../platform/applications/application.ts';
import { millisecondsOf } from '../../platform/time/date-time.ts';
import { isInAudience } from '../../users/audience.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import { type RegistrationChange, tombstoneRetentionMilliseconds } from '../../users/user.ts';
import type { Notification } from '../messages/message.ts';

export interface NotificationsOfDependencies {
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration' | 'ensureMany' | 'endAll'>;
}

/**
 * Creates one notification for each application that has the user in its audience. If an application has no identifier
 * for the user yet, the identifier is created. A deletion is sent only to applications that already have an identifier
 * for the user. After a deletion, the identifiers are kept long enough to deliver the notifications.
 */
export const notificationsOf = async (
  { subs }: NotificationsOfDependencies,
  {
    change,
    applications,
  }: {
    readonly change: RegistrationChange;
    readonly applications: readonly Application[];
  },
): Promise<Notification[]> => {
  const { registrationId, changedAt, isRemoved } = change;
  if (isRemoved) {
    await subs.endAll({ registrationId, endsAt: millisecondsOf(changedAt) + tombstoneRetentionMilliseconds });
  }
  const known = await subs.ofRegistration(registrationId);
  const audience = applications.filter(
    (application) =>
      isInAudience(application, known.get(application.id)) && (known.has(application.id) || !isRemoved),
  );
  const missing = audience.map(({ id }) => id).filter((id) => !known.has(id));
  const made = change.isRemoved
    ? undefined
    : await subs.ensureMany({ registrationId, userSub: change.userSub, applicationIds: missing });
  return audience.flatMap(({ id: applicationId }) => {
    const sub = known.get(applicationId) ?? made?.get(applicationId);
    // The user has been deleted since, and the application has never known it.
    if (sub === undefined) return [];
    const { applicationUserSub } = sub;
    const message = { operationType: 'data_update', applicationUserSub, dateTime: changedAt } as const;
    return [{ applicationId, message }];
  });
};
