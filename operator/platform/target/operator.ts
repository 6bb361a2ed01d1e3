import type { Command } from 'commander';
import { createOutput, type Output } from '../terminal/output.ts';
import { findTarget, type Target } from './target.ts';

/** What a command works with once its arguments are read. */
export interface Operator {
  readonly target: Target;
  readonly output: Output;
  /** Whether `--json` was given. */
  readonly isJson: boolean;
}

/** A group of commands, e.g. `dead-letters`. */
export type CommandGroup = () => Command;

interface GlobalOptions {
  readonly stage: string;
  readonly json?: boolean;
  readonly outputs?: string;
}

/** Reads the common options and finds the stage. */
export const operatorOf = async (command: Command): Promise<Operator> => {
  const { stage, json = false, outputs } = command.optsWithGlobals<GlobalOptions>();
  return {
    target: await findTarget({ stage, outputsFile: outputs }),
    output: createOutput({ json }),
    isJson: json,
  };
};
