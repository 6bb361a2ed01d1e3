import { checkStage } from '../../../shared/platform/check-stage.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { checkStageDependencies, checkStageEnvironment } from './dependencies.ts';

const environment = parseEnvironment(checkStageEnvironment);
export type Environment = typeof environment;

const dependencies = checkStageDependencies(environment);
export const handler = (): Promise<void> => checkStage(dependencies);
