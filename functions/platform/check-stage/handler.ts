import { type CheckStageDependencies, checkStage } from '../../../shared/platform/check-stage.ts';

/** Runs on a schedule. Throws only if a state cannot be read; the failed invocation raises an alarm. */
export const checkStageHandler = (dependencies: CheckStageDependencies) => (): Promise<void> =>
  checkStage(dependencies);
