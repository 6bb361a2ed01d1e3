import { holderOf } from 'template-runtime/state-directory.ts';
import { patience, patient } from '../shared/platform/time/patience.ts';
import { parseOptions } from './options.ts';
import { alreadyRuns, greeting } from './outputs.ts';
import type { Runtime } from './runtime.ts';

/** After this time the process exits even if not everything has stopped. Its child processes exit with it. */
const stopTimeoutMilliseconds = patient(4_500);

const options = parseOptions(process.argv.slice(2));
let starting: Promise<Runtime> | undefined;
const giveUp = new AbortController();
let stopping = false;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** On a terminal, progress is one line that is overwritten. Elsewhere, each new activity gets a line. */
let lastDoing = '';
const showProgress = (doing: string): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${doing} …`);
  else if (doing.split(' ')[0] !== lastDoing.split(' ')[0]) say(`${doing} …`);
  lastDoing = doing;
};
const endProgress = (): void => {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K');
};

/**
 * The started runtime; `undefined` if the start was aborted, because an aborted start stops everything that it has
 * started.
 */
const started = async (): Promise<Runtime | undefined> => {
  try {
    return await starting;
  } catch {
    return undefined;
  }
};

const stop = async (exitCode: number): Promise<void> => {
  // Under npm, Ctrl-C arrives twice: from the terminal, and forwarded by npm.
  if (stopping) return;
  stopping = true;
  giveUp.abort();
  setTimeout(() => process.exit(1), stopTimeoutMilliseconds).unref();
  const runtime = await started();
  try {
    await runtime?.stop();
    process.exit(exitCode);
  } catch (error) {
    say(`Not everything stopped cleanly: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
};

process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

/**
 * If npm is killed with SIGKILL, this process receives no signal. So it stops as soon as its parent process has
 * changed.
 */
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  setInterval(() => {
    if (process.ppid !== parent && !stopping) void stop(1);
  }, 500).unref();
}

const holder = holderOf(options.stateDirectory);
if (holder !== undefined) {
  say(alreadyRuns(options.stateDirectory, holder));
  process.exit(1);
}

try {
  const began = performance.now();
  // Loading this module takes half a second, so it is loaded only if no other system runs here.
  const { startRuntime } = await import('./runtime.ts');
  const dynamodbEndpoint = process.env.DYNAMODB_ENDPOINT;
  starting = startRuntime({
    ...options,
    ...(options.trustCa !== undefined && { trustCa: options.trustCa }),
    ...(dynamodbEndpoint && { dynamodbEndpoint }),
    ...(patience > 1 && { patience }),
    signal: giveUp.signal,
    log: (line) => {
      endProgress();
      say(line);
    },
    progress: showProgress,
    onFailure: (reason) => {
      say(`Stopping: ${reason}`);
      void stop(1);
    },
  });
  const { outputs } = await starting;
  endProgress();
  say(greeting(outputs, options.stateDirectory));
  say(`Ready after ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
} catch (error) {
  endProgress();
  if (!stopping) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
