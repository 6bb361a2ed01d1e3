import { type Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { readBase } from '../../../../operator/nft/contracts/base-address.ts';
import { ageText, duration } from '../../../../operator/platform/terminal/arguments.ts';
import { requireConsent } from '../../../../operator/platform/terminal/confirm.ts';
import { failureOf } from '../../../../operator/platform/terminal/exit-code.ts';
import {
  NotConfirmedError,
  OperatorError,
  UsageError,
} from '../../../../operator/platform/terminal/operator-error.ts';
import { askedText, startProgress } from '../../../../operator/platform/terminal/output.ts';
import { createProgram } from '../../../../operator/program.ts';
import { faultsOf } from '../../../../operator/stage/smoke/run-checks.ts';
import { readUserDataChange } from '../../../../operator/users/change-file.ts';
import { ChainUnavailableError } from '../../../../shared/chain/errors.ts';

const written = () => {
  const texts: string[] = [];
  return { texts, stream: { write: (text: string) => texts.push(text) } };
};

const commandsOf = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((inner) => commandsOf(inner)),
];

describe('the command line', () => {
  it('has a help text of at most 80 columns for every command', async () => {
    for (const command of commandsOf(await createProgram())) {
      const texts: string[] = [];
      command.configureOutput({ writeOut: (text) => texts.push(text), getOutHelpWidth: () => 80 });
      command.outputHelp();
      const widest = Math.max(
        ...texts
          .join('')
          .split('\n')
          .map((line) => line.length),
      );
      expect(widest, command.name()).toBeLessThanOrEqual(80);
    }
  });

  it('describes every command, argument and option', async () => {
    for (const command of commandsOf(await createProgram())) {
      expect(command.description(), command.name()).not.toBe('');
      for (const argument of command.registeredArguments) expect(argument.description).not.toBe('');
      for (const option of command.options) expect(option.description, option.flags).not.toBe('');
    }
  });

  it('lists all commands for --help and for an unknown command', async () => {
    const all = (await createProgram()).commands.map((command) => command.name());
    const offered = async (...argv: readonly string[]) =>
      (await createProgram(argv)).commands.map((command) => command.name());

    expect(all).toContain('signers');
    expect(await offered('--help', 'users')).toEqual(all);
    expect(await offered('help', 'users')).toEqual(all);
    expect(await offered('user', 'list')).toEqual(all);
    // One of the two words is the value of an option. Only commander knows which, so both commands are kept.
    expect(await offered('--stage', 'users', 'signers')).toEqual(['users', 'signers']);
  });

  it.each([
    [['--help'], 0],
    [['applications', 'create', '--help'], 0],
    [['--version'], 0],
    [[], 2],
    [['applications'], 2],
    [['no-such-command'], 2],
    [['applications', 'show'], 2],
    [['transactions', 'show', 'x'], 2],
    [['events', 'set-status', 'id', 'SOON'], 2],
    [['events', 'extend', 'id', '0'], 2],
    [['events', 'extend', 'id', '1441'], 2],
    [['events', 'extend', 'id', '1.5'], 2],
  ])('exits for %j with the code %i', async (argv, exitCode) => {
    const program = await createProgram(argv);
    const silent = { writeOut: () => {}, writeErr: () => {} };
    for (const command of commandsOf(program)) command.configureOutput(silent);

    const error = await program.parseAsync(argv, { from: 'user' }).catch((thrown: unknown) => thrown);

    expect(failureOf(error)).toMatchObject({ exitCode });
  });
});

const leavesOf = (command: Command, path: readonly string[] = []): string[][] => [
  ...(command.commands.length === 0 || path.join() === 'signers' ? [[...path]] : []),
  ...command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()])),
];

const leaves = leavesOf(await createProgram());

describe('the option --json', () => {
  it.each(leaves)('works before and after the arguments: %s %s', async (...words) => {
    const path = words.filter((word) => word !== undefined);
    const readJson = async (argv: readonly string[]) => {
      const program = await createProgram(argv);
      let json: unknown;
      for (const command of commandsOf(program)) {
        command.action((...parsed: unknown[]) => {
          const inner = parsed.at(-1) as Command;
          json = inner.optsWithGlobals().json;
        });
        for (const option of command.options) option.mandatory = false;
      }
      await program.parseAsync(argv, { from: 'user' });
      return json;
    };
    const command = path.reduce(
      (at, word) => at.commands.find((inner) => inner.name() === word) ?? at,
      await createProgram(path),
    );
    const given: readonly string[] = command.registeredArguments
      .filter(({ required }) => required)
      .map(({ argChoices }) => argChoices?.[0] ?? '1');

    expect(await readJson(['--json', ...path, ...given])).toBe(true);
    expect(await readJson([...path, ...given, '--json'])).toBe(true);
    expect(await readJson([...path, '--json', ...given])).toBe(true);
    expect(await readJson([...path, ...given])).toBeUndefined();
  });
});

describe('a failure of a command', () => {
  it.each([
    ['what an operator can do something about', new OperatorError({ message: 'no' }), 1],
    ['a wrong command line', new UsageError({ message: 'no' }), 2],
    ['what nobody confirmed', new NotConfirmedError({ message: 'no' }), 3],
    ['what the service refuses', new ChainUnavailableError({ message: 'no' }), 1],
    ["AWS's refusal", Object.assign(new Error('no'), { name: 'AccessDenied', $fault: 'client' }), 1],
    ['an environment without a region', new Error('Region is missing'), 1],
    ['a closed port', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 1],
    ['a mistake that commander told of', new CommanderError(1, 'commander.help', 'no'), 2],
  ])('with %s is shown without a stack trace', (_, error, exitCode) => {
    expect(failureOf(error)?.exitCode).toBe(exitCode);
  });

  it('that is unexpected is shown with its stack trace', () => {
    expect(failureOf(new TypeError('x is undefined'))).toBeUndefined();
  });
});

describe('the consent of the operator', () => {
  const question = 'Remove it?';

  it('is not asked for with --yes', async () => {
    await expect(requireConsent({ question, yes: true, isTerminal: false })).resolves.toBeUndefined();
  });

  it('counts as refused when there is no terminal to ask on', async () => {
    await expect(requireConsent({ question, isTerminal: false })).rejects.toThrow(NotConfirmedError);
  });

  it.each([
    ['yes', true],
    ['no', false],
  ])('is given only by the answer yes, not by no: answered %s', async (_, answer) => {
    const consent = requireConsent({ question, isTerminal: true, ask: async () => answer });

    if (answer) await expect(consent).resolves.toBeUndefined();
    else await expect(consent).rejects.toThrow('Nothing was done.');
  });
});

describe('a question on the terminal', () => {
  const question =
    'Cancel nonce 12, mint of token 7 of application demo? Unless it is mined first, it fails.';

  it('is wrapped between words and leaves room for the prompt around it', () => {
    const lines = askedText(question, 80).split('\n');

    expect(lines.join(' ')).toBe(question);
    expect(lines.length).toBe(2);
    expect(`? ${lines[0]}`.length).toBeLessThanOrEqual(80);
    expect(`${lines.at(-1)} (y/N) `.length).toBeLessThanOrEqual(80);
  });

  it('is not wrapped on a terminal of unknown width', () => {
    expect(askedText(question, 0)).toBe(question);
  });

  it('is not changed if it fits into one line', () => {
    expect(askedText('Remove it?', 80)).toBe('Remove it?');
    expect(askedText(question, undefined)).toBe(question);
  });
});

describe('the progress line', () => {
  it('is not shown if the output is not a terminal', () => {
    const { texts, stream } = written();
    const progress = startProgress(stream);

    progress.show('working');
    progress.end();

    expect(texts).toEqual([]);
  });

  it('is cut to the width of the terminal', () => {
    const { texts, stream } = written();

    startProgress({ ...stream, isTTY: true, columns: 5 }).show('working');

    expect(texts.join('')).toBe('\r\x1b[2Kwork');
  });
});

describe('the arguments of commands', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('accept %s as a duration', (text, milliseconds) => {
    expect(duration(text)).toBe(milliseconds);
  });

  it.each(['10', 'm', '-1s', '1w', ''])('reject %j as a duration', (text) => {
    expect(() => duration(text)).toThrow(/90s, 10m/);
  });

  it.each([
    [5_000, '5s'],
    [65_000, '1m 5s'],
    [7_260_000, '2h 1m'],
    [90_000_000, '1d 1h'],
  ])('show %i ms as %s', (milliseconds, text) => {
    expect(ageText(milliseconds)).toBe(text);
  });

  it('lose the slash at the end of a base address', () => {
    expect(readBase('https://api.example.com/v2/')).toBe('https://api.example.com/v2');
  });

  it.each([
    'api.example.com',
    'ipfs://x',
    'https://api.example.com/?a=b',
    `https://a.example.com/${'x'.repeat(256)}`,
  ])('reject %s as a base address', (text) => {
    expect(() => readBase(text)).toThrow(UsageError);
  });

  it("accept a user's data as a JSON object or as a file", () => {
    expect(readUserDataChange({ data: '{"is_club":"true"}' })).toEqual({ data: { is_club: 'true' } });
    const text = '{"user_agreements":[{"id":"terms"}]}';
    expect(readUserDataChange({ file: { name: 'user.json', text } })).toEqual({
      agreements: [{ id: 'terms' }],
    });
  });

  it.each([
    [{}],
    [{ data: '{}', file: { name: 'user.json', text: '{}' } }],
    [{ data: '[]' }],
    [{ data: '{' }],
    [{ file: { name: 'user.json', text: '{"email":"x"}' } }],
  ])("reject %j as a user's data", (source) => {
    expect(() => readUserDataChange(source)).toThrow(OperatorError);
  });
});

describe('a check of a response', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
    status,
    headers: new Headers(headers),
    text: JSON.stringify(body),
  });

  it('passes when status, body and headers are as expected', () => {
    const found = answer(200, [], { 'cache-control': 'no-store' });

    const faults = faultsOf(found, {
      status: 200,
      body: 'array',
      headers: { 'cache-control': 'no-store' },
    });

    expect(faults).toEqual([]);
  });

  it('names each difference in status, body and headers', () => {
    const faults = faultsOf(answer(500, { message: 'Internal' }, { vary: 'origin' }), {
      status: [200, 204],
      body: { message: 'Forbidden' },
      headers: { vary: 'accept', 'access-control-allow-origin': undefined },
    });

    expect(faults).toEqual([
      'status: 500, expected 200 or 204',
      'body: message is "Internal", expected "Forbidden"',
      'vary: is origin, expected accept',
      'access-control-allow-origin: is missing',
    ]);
  });
});
