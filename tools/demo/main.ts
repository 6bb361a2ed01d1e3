import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { positiveInteger } from '../../operator/platform/terminal/arguments.ts';
import { showLive, showPlainly } from './show.ts';
import { UnexpectedError } from './step.ts';
import { FailedStepError, walk } from './walk.ts';

const options = new Command('npm run demo --')
  .description(
    "Shows everything that Marquee does, step by step, as a customer and a viewer see it, with the demonstration's applications and events. It uses the system that npm start runs. If no system runs, it starts one and stops it afterwards.",
  )
  .option(
    '--outputs <file>',
    'the file with the addresses of the running system (default: .local/outputs.json)',
  )
  .option('--own', 'start a new system even if one runs already', false)
  .option('--plain', 'print plain lines even on a terminal', false)
  .option(
    '--timeout <seconds>',
    'time limit for all steps together, including the start of a system',
    positiveInteger,
    240,
  )
  .addHelpText(
    'after',
    '\nIf a result is not as expected, the demo names the step and ends with exit code 1.',
  )
  .allowExcessArguments(false)
  .parse()
  .opts<{ outputs?: string; own: boolean; plain: boolean; timeout: number }>();

const ending = new AbortController();
const end = (expected: string, seen: string) => ending.abort(new UnexpectedError({ expected, seen }));
const timer = setTimeout(
  () => end(`all steps to end within ${options.timeout} s (--timeout)`, 'still running'),
  options.timeout * 1_000,
);
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => end('the demo to run to its end', name));

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const began = performance.now();
try {
  await walk({
    show:
      process.stdout.isTTY && !options.plain ? showLive({ rows: process.stdout.rows }) : showPlainly(print),
    signal: ending.signal,
    outputsFile: options.outputs ?? fileURLToPath(new URL('../../.local/outputs.json', import.meta.url)),
    start: options.own ? 'always' : options.outputs === undefined ? 'if-none' : 'never',
  });
  print(`All steps passed after ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
} catch (error) {
  if (!(error instanceof FailedStepError)) throw error;
  const { chapter, step, expected, seen } = error;
  process.stderr.write(`\nFailed: ${chapter}: ${step}\n  expected  ${expected}\n  seen      ${seen}\n`);
  process.exitCode = 1;
} finally {
  clearTimeout(timer);
}
