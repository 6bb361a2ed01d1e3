import type { Context } from 'aws-lambda';
import {
  type ApplySchedulesDependencies,
  applySchedules,
} from '../../../shared/ott/catalogue/apply-schedules.ts';

/** The time reserved for the last events before the function's timeout. */
const lastEventsMilliseconds = 10_000;

export const applySchedulesHandler =
  (dependencies: ApplySchedulesDependencies) =>
  (_: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> =>
    applySchedules(dependencies, {
      until: dependencies.clock() + context.getRemainingTimeInMillis() - lastEventsMilliseconds,
    });
