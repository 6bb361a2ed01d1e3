import type { StageConfig } from '../../../config/stage.ts';
import { stageNamed, stageNames } from '../../../config/stages.ts';
import { OperatorError } from '../terminal/operator-error.ts';

/**
 * The settings in the stage's file. The caller makes sure that the file is the version that was deployed.
 *
 * @throws OperatorError when the file does not exist.
 */
export const stageSettings = (name: string): StageConfig => {
  if (stageNames.includes(name)) return stageNamed(name);
  throw new OperatorError({ message: `config has no stage ${name}; it has ${stageNames.join(', ')}.` });
};
