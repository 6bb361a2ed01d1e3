import { local } from './local.ts';
import { nightly } from './nightly.ts';
import { prod } from './prod.ts';
import { parseStage, type StageConfig, type StageInput } from './stage.ts';
import { staging } from './staging.ts';

const stages: Record<string, StageInput> = { local, staging, prod, nightly };

export const stageNames = Object.keys(stages);

/** The checked configuration of the stage with this name, which is the value of `-c stage=…`. */
export function stageNamed(name: unknown): StageConfig {
  const input = typeof name === 'string' ? stages[name] : undefined;
  if (input === undefined) {
    throw new Error(`Pass -c stage=… with one of ${stageNames.join(', ')} (got ${JSON.stringify(name)}).`);
  }
  return parseStage(`config/${name}.ts`, input);
}
