import type { Context } from 'aws-lambda';
import {
  type ApplySchedulesDependencies,
  applySchedules,
} from '../../../shared/ott/catalogue/apply-schedules.ts';

/** How long before its timeout the function begins no further batch of events. */
const lastEventsMilliseconds = 10_000;

export const applySchedulesHandler =
  (dependencies: ApplySchedulesDependencies) =>
  (_: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> =>
    applySchedules(dependencies, {
      until: dependencies.clock() + context.getRemainingTimeInMillis() - lastEventsMilliseconds,
    });
