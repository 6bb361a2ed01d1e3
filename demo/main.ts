import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { positiveInteger } from '../operator/arguments.ts';
import { showLive, showPlainly } from './show.ts';
import { UnexpectedError } from './step.ts';
import { FailedStepError, walk } from './walk.ts';

const options = new Command('npm run demo --')
  .description(
    "Walks through everything that Marquee does, as a customer and a viewer would: against the system that npm start runs, with the demonstration's applications and events, or one that it starts and ends itself.",
  )
  .option('--outputs <file>', 'addresses that the running system wrote down (default: .local/outputs.json)')
  .option('--own', 'start a system even when one runs', false)
  .option('--plain', 'plain lines on a terminal, too', false)
  .option('--timeout <seconds>', 'for everything, a start included', positiveInteger, 240)
  .addHelpText('after', '\nIt ends with 1 and names the step when something is not as expected.')
  .allowExcessArguments(false)
  .parse()
  .opts<{ outputs?: string; own: boolean; plain: boolean; timeout: number }>();

const ending = new AbortController();
const end = (expected: string, seen: string) => ending.abort(new UnexpectedError({ expected, seen }));
const timer = setTimeout(
  () => end(`an end within ${options.timeout} s (--timeout)`, 'it still goes on'),
  options.timeout * 1_000,
);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => end('to go on', name));

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const began = performance.now();
try {
  await walk({
    show:
      process.stdout.isTTY && !options.plain ? showLive({ rows: process.stdout.rows }) : showPlainly(print),
    signal: ending.signal,
    outputsFile: options.outputs ?? fileURLToPath(new URL('../.local/outputs.json', import.meta.url)),
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
