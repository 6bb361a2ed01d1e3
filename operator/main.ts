import { Command } from 'commander';
import { applications } from './commands/applications.ts';
import { deadLetters } from './commands/dead-letters.ts';
import { events } from './commands/events.ts';
import type { CommandGroup } from './operator.ts';
import { OperatorError } from './operator-error.ts';

const groups: readonly CommandGroup[] = [applications, deadLetters, events];

const program = new Command('operator')
  .description('What the operator of a Marquee stage does from day to day.')
  .usage('[options] <command>')
  .option('--stage <name>', 'stage on AWS; without it, what npm start runs on this machine', 'local')
  .option('--outputs <file>', 'where the local system wrote down its addresses (.local/outputs.json)')
  .option('--json', 'print results as JSON')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(--help says what there is)');

/** So that help and errors look alike at every level. */
const inherit = (command: Command, parent: Command): Command => {
  command.copyInheritedSettings(parent);
  for (const inner of command.commands) inherit(inner, command);
  return command;
};

for (const group of groups) program.addCommand(inherit(group(), program));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
