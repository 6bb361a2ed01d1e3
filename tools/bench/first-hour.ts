import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { commandBlocks } from '../../test/support/platform/markdown-commands.ts';
import { portNames } from '../../test/support/platform/system.ts';
import type { Measurement } from './measurement.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const confirmationTimeoutMilliseconds = 120_000;

/**
 * The environment of a newcomer's shell: with the Node.js and npm that are installed on the machine, and an empty npm
 * cache.
 */
const newcomersEnvironment = (npmCache: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
    .join(delimiter),
  npm_config_cache: npmCache,
});

/** The times at which a program printed lines that match these patterns, in this order. */
const printedAt = async (
  program: ChildProcessByStdio<null, Readable, null>,
  lines: readonly RegExp[],
): Promise<number[]> => {
  const times: number[] = [];
  let printed = '';
  for await (const line of createInterface({ input: program.stdout })) {
    printed += `${line}\n`;
    if (lines[times.length]?.test(line)) times.push(performance.now());
    if (times.length === lines.length) break;
  }
  const [missing] = lines.slice(times.length);
  if (missing !== undefined) throw new Error(`It ended before it printed ${missing}:\n${printed}`);
  // Leaving the loop pauses the stream. It is resumed, so that later output does not fill the pipe and block the
  // program.
  program.stdout.resume();
  return times;
};

const megabytesOf = (folder: string): number =>
  (Number.parseInt(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }), 10) * 1_024) / 1e6;

/**
 * Turns the README's commands, from creating a contract to reading a confirmed token, into a script that prints a line
 * after each step.
 */
const mintScript = (readme: string): string => {
  const blocks = commandBlocks(pathToFileURL(readme).href).map(({ commands }) => commands);
  const minting = blocks.findIndex((commands) => commands.includes('export CONTRACT='));
  const [create, mint] = (blocks[minting] ?? '').split(/^(?=curl)/m);
  const [readToken] = (blocks[minting + 1] ?? '').split('\n');
  return [
    'set -eo pipefail',
    create,
    'echo; echo contract',
    mint,
    'echo; echo token',
    `until ${readToken} | grep '"is_confirmed":true'; do sleep 0.1; done`,
    'echo; echo confirmed',
  ].join('\n');
};

/**
 * Measures from `git clone` to a confirmed token, for a newcomer who has only Node.js installed. The folder's path
 * contains a space.
 */
export const measureFirstHour = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'first hour '));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [clone, npmCache] = [join(folder, 'marquee'), join(folder, 'npm')];
  mkdirSync(npmCache);
  const options = {
    cwd: clone,
    env: newcomersEnvironment(npmCache),
    stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'],
  };

  const begun = performance.now();
  execFileSync('git', ['clone', '--quiet', '--no-local', root, clone]);
  const cloned = performance.now();

  const ports = portNames.flatMap((name) => [`--port-${name}`, '0']);
  const system = spawn('npm', ['start', '--', ...ports], options);
  cleanup.defer(async () => {
    if (system.kill()) await once(system, 'close');
  });
  const [installed = Number.NaN, ready = Number.NaN] = await printedAt(system, [
    /^Synthesizing the CDK app/,
    /^Ready after/,
  ]);

  const pasted = performance.now();
  const shell = spawn('bash', ['-c', mintScript(join(clone, 'README.md'))], {
    ...options,
    timeout: confirmationTimeoutMilliseconds,
  });
  const [contract = Number.NaN, token = Number.NaN, confirmed = Number.NaN] = await printedAt(shell, [
    /^contract$/,
    /^token$/,
    /^confirmed$/,
  ]);

  const phases = {
    'git clone': cloned - begun,
    'npm start installs': installed - cloned,
    'npm start is ready': ready - installed,
    'contract answered': contract - pasted,
    'token answered': token - contract,
    'token confirmed': confirmed - token,
    'from git clone to the confirmed token': confirmed - begun,
  };
  return [
    ...Object.entries(phases).map(([name, milliseconds]) => ({
      name,
      value: milliseconds / 1_000,
      unit: 's',
    })),
    { name: 'disk: the folder', value: megabytesOf(clone), unit: 'MB' },
    { name: "disk: npm's cache, which was empty at the start", value: megabytesOf(npmCache), unit: 'MB' },
  ];
};
