import type { StageConfig } from '../config/stage.ts';
import { stageNamed, stageNames } from '../config/stages.ts';
import { OperatorError } from './operator-error.ts';

/**
 * What the stage's file says; it has to be the one that the stage was deployed with.
 *
 * @throws OperatorError when there is no such file.
 */
export const stageSettings = (name: string): StageConfig => {
  if (stageNames.includes(name)) return stageNamed(name);
  throw new OperatorError({ message: `config has no stage ${name}; it has ${stageNames.join(', ')}.` });
};
