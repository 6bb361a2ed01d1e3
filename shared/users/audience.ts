import type { Application } from '../platform/applications/application.ts';
import type { ApplicationUserSub } from './application-user-sub.ts';

const isIn = {
  all: () => true,
  linked: (sub) => sub?.isLinked === true,
  later: () => false,
} as const satisfies Record<
  Application['audience'],
  (sub: Pick<ApplicationUserSub, 'isLinked'> | undefined) => boolean
>;

/** Whether an application reads a user, and is notified of the user. */
export const isInAudience = (
  { audience }: Pick<Application, 'audience'>,
  sub: Pick<ApplicationUserSub, 'isLinked'> | undefined,
): boolean => isIn[audience](sub);
