import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import * as z from 'zod';
import { applications } from './commands/applications.ts';
import { consoleCommand } from './commands/console.ts';
import { contracts } from './commands/contracts.ts';
import { deadLetters } from './commands/dead-letters.ts';
import { events } from './commands/events.ts';
import { failedChanges } from './commands/failed-changes.ts';
import { find } from './commands/find.ts';
import { preflight } from './commands/preflight.ts';
import { signers } from './commands/signers.ts';
import { smoke } from './commands/smoke.ts';
import { status } from './commands/status.ts';
import { subscriptions } from './commands/subscriptions.ts';
import { token } from './commands/token.ts';
import { transactions } from './commands/transactions.ts';
import { users } from './commands/users.ts';
import type { CommandGroup } from './operator.ts';

const groups: readonly CommandGroup[] = [
  status,
  find,
  consoleCommand,
  applications,
  subscriptions,
  deadLetters,
  failedChanges,
  events,
  users,
  signers,
  transactions,
  contracts,
  preflight,
  smoke,
  token,
];

const ending = `
Exit codes
  0  done
  1  it failed, and standard error says why
  2  the command line is wrong
  3  it was not confirmed: the answer was no, or there was nobody to ask and no --yes

On AWS the credentials and the region are those that the AWS command line would use.`;

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

/** So that help and errors look alike at every level. */
const inherit = (command: Command, parent: Command): Command => {
  command.copyInheritedSettings(parent);
  for (const inner of command.commands) inherit(inner, command);
  return command;
};

/** The whole command line. Mistakes in it and requests for help throw commander's errors. */
export const createProgram = (): Command => {
  const program = new Command('operator')
    .description('What the operator of a Marquee stage does from day to day.')
    .usage('[options] <command>')
    .option('--stage <name>', 'stage on AWS; without it, what npm start runs on this machine', 'local')
    .option('--outputs <file>', 'where the local system wrote down its addresses (.local/outputs.json)')
    .option('--json', 'print results as JSON')
    .version(version, '--version', 'print the version of Marquee')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help says what there is)')
    .exitOverride()
    .addHelpText('after', ending);
  for (const group of groups) program.addCommand(inherit(group(), program));
  return program;
};
