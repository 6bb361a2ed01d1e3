import { type RedeliverDueDependencies, redeliverDue } from '../../../shared/notifications/redeliver-due.ts';

export type Dependencies = RedeliverDueDependencies;

export const redeliverDueHandler = (dependencies: Dependencies) => async (): Promise<void> => {
  await redeliverDue(dependencies);
};
