import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import * as z from 'zod';
import type { CommandGroup } from './platform/target/operator.ts';
import { helpOutput } from './platform/terminal/output.ts';

/**
 * Each group is loaded on demand, because loading the clients for AWS and the chain takes most of a command's start-up
 * time.
 */
const groups: Readonly<Record<string, () => Promise<CommandGroup>>> = {
  status: async () => (await import('./stage/status/command.ts')).status,
  find: async () => (await import('./stage/find/command.ts')).find,
  console: async () => (await import('./stage/console/command.ts')).consoleCommand,
  applications: async () => (await import('./stage/applications/command.ts')).applications,
  subscriptions: async () => (await import('./notifications/subscriptions/command.ts')).subscriptions,
  listen: async () => (await import('./notifications/subscriptions/command-listen.ts')).listen,
  'dead-letters': async () => (await import('./notifications/dead-letters/command.ts')).deadLetters,
  'failed-changes': async () => (await import('./notifications/failed-changes/command.ts')).failedChanges,
  'failed-erasures': async () => (await import('./account/command.ts')).failedErasures,
  unfinished: async () => (await import('./notifications/unfinished/command.ts')).unfinished,
  events: async () => (await import('./ott/events/command.ts')).events,
  tickets: async () => (await import('./ott/tickets/command.ts')).tickets,
  viewers: async () => (await import('./ott/viewers/command.ts')).viewers,
  users: async () => (await import('./users/command.ts')).users,
  signers: async () => (await import('./nft/signers/command.ts')).signers,
  transactions: async () => (await import('./nft/transactions/command.ts')).transactions,
  contracts: async () => (await import('./nft/contracts/command.ts')).contracts,
  secrets: async () => (await import('./stage/secrets/command.ts')).secrets,
  adopt: async () => (await import('./stage/adopt/command.ts')).adopt,
  restore: async () => (await import('./stage/restore/command.ts')).restore,
  preflight: async () => (await import('./stage/preflight/command.ts')).preflight,
  smoke: async () => (await import('./stage/smoke/command.ts')).smoke,
  token: async () => (await import('./users/command-token.ts')).token,
};

/** The groups of commands that a command line may need: those named in it, or all when it asks for help. */
const groupsOf = (argv: readonly string[]): readonly string[] => {
  const all = Object.keys(groups);
  if (argv.some((word) => ['-h', '--help', 'help'].includes(word))) return all;
  const named = all.filter((name) => argv.includes(name));
  return named.length === 0 ? all : named;
};

const ending = `
Exit codes
  0  done
  1  it failed, and standard error says why
  2  the command line is wrong
  3  it was not confirmed: the answer was no, or there was neither a terminal
     to ask on nor --yes

On AWS the credentials and the region are those that the AWS command line
would use.`;

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

/** Gives a command and its subcommands the parent's settings for help and errors. */
const inherit = (command: Command, parent: Command): Command => {
  command.copyInheritedSettings(parent);
  for (const inner of command.commands) inherit(inner, command);
  return command;
};

/**
 * Creates the program with the commands that `argv` needs. It throws commander's errors for mistakes in `argv` and
 * requests for help.
 */
export const createProgram = async (
  /** @default all commands */
  argv: readonly string[] = [],
): Promise<Command> => {
  const program = new Command('operator')
    .description('Operate a Marquee stage from day to day.')
    .usage('[options] <command>')
    .option('--stage <name>', 'stage on AWS; without it, the local system that npm start runs', 'local')
    .option('--outputs <file>', 'the file with the addresses of the local system (.local/outputs.json)')
    .option('--json', 'print results as JSON')
    .version(version, '--version', 'print the version of Marquee')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .configureOutput(helpOutput)
    .showHelpAfterError('(--help lists the commands and options)')
    .exitOverride()
    .addHelpText('after', ending);
  for (const name of groupsOf(argv)) {
    const group = await groups[name]?.();
    if (group !== undefined) program.addCommand(inherit(group(), program));
  }
  return program;
};
