import type { Command } from 'commander';
import { createProgram } from '../../../operator/program.ts';

const namesOf = (command: Command, before: readonly string[] = []): string[] =>
  command.commands.length === 0
    ? [[...before, command.name()].slice(1).join(' ')]
    : command.commands.flatMap((inner) => namesOf(inner, [...before, command.name()]));

/** Every command of the operator's command line, e.g. `dead-letters list`. */
export const commandNames = async (): Promise<string[]> =>
  // `signers` is a command by itself and also has subcommands.
  [...namesOf(await createProgram()), 'signers'].filter((name) => name !== '');
