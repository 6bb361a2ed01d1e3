import { type WaitDependencies, waitFor } from '../../operator/platform/target/wait-for.ts';
import { checkNotifications } from '../../operator/stage/smoke/notifications.ts';

/** SNS uses a new filter everywhere after at most 15 minutes. */
const filterMinutes = 15;

/**
 * Waits until SNS passes notifications to a new endpoint, by sending test notifications. Until then, SNS can lose any other
 * notification, too.
 */
export const waitForFilter = (
  dependencies: WaitDependencies,
  stage: { readonly b2bUrl: string; readonly apiKey: string },
): Promise<void> =>
  waitFor(dependencies, {
    minutes: filterMinutes,
    until: 'SNS passes notifications to the new endpoint',
    look: async () => {
      const { fetch, pause } = dependencies;
      const { faults } = await checkNotifications(
        { ...(fetch && { fetch }), ...(pause && { pause }) },
        stage,
      );
      return faults.length === 0 ? undefined : `The last test notification: ${faults.join('; ')}.`;
    },
  });
