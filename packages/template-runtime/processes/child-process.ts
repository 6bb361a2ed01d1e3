import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { writeFileDurably } from '../durable-file.ts';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

export interface ChildOptions {
  /** The name of the pid file and of the log file. */
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly stateDirectory: string;
  /** Called repeatedly until it resolves to `true`. */
  readonly isReady: () => Promise<boolean>;
  /** Only ends a child that hangs: on a busy machine, a start takes many times as long as usual. @default 120_000 */
  readonly readyTimeoutMilliseconds?: number;
  readonly onUnexpectedExit: (reason: string) => void;
}

export interface Child {
  readonly pid: number;
  /** Sends SIGTERM, then SIGKILL after `graceMilliseconds`. */
  stop(graceMilliseconds: number): Promise<void>;
}

/**
 * Starts a child that does not outlive this process. The child has its own process group, so Ctrl-C reaches only this
 * process, which then stops the child. If this process is killed, a watcher process notices that its pipe was closed,
 * and kills the child. If the watcher was killed too, the next start finds the child by its pid file and kills it.
 */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  const pidFile = join(options.stateDirectory, 'run', `${options.name}.json`);
  const logFile = join(options.stateDirectory, 'logs', `${options.name}.log`);
  await endOrphan(pidFile);
  for (const file of [pidFile, logFile]) mkdirSync(dirname(file), { recursive: true });

  const log = openSync(logFile, 'a');
  const child = spawn(options.command, [...options.arguments], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const pid = await startedPid(child, options.command);
  const identity = identifyProcess(pid);
  if (identity) writeFileDurably(pidFile, JSON.stringify(identity));
  const watcher = watch(pid);
  let isStopping = false;
  const exited = exitOf(child).then((reason) => {
    watcher.kill('SIGKILL');
    rmSync(pidFile, { force: true });
    return reason;
  });
  const ended = { reason: undefined as string | undefined };
  void exited.then((reason) => {
    ended.reason = reason;
  });

  const stop = async (graceMilliseconds: number): Promise<void> => {
    isStopping = true;
    if (ended.reason !== undefined) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
    await exited;
    clearTimeout(timer);
  };

  const deadline = performance.now() + (options.readyTimeoutMilliseconds ?? 120_000);
  while (!(await options.isReady())) {
    if (ended.reason !== undefined || performance.now() > deadline) {
      await stop(0);
      throw new Error(`${options.name} did not start (${ended.reason ?? 'no response'}); see ${logFile}`);
    }
    await delay(15);
  }
  void exited.then((reason) => {
    if (!isStopping) options.onUnexpectedExit(`${options.name} ended (${reason}); see ${logFile}`);
  });
  return { pid, stop };
};

const startedPid = async (child: ChildProcess, command: string): Promise<number> => {
  if (child.pid === undefined) {
    const [cause] = await once(child, 'error');
    throw new Error(`${command} cannot be started`, { cause });
  }
  return child.pid;
};

const exitOf = async (child: ChildProcess): Promise<string> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? `exit code ${child.exitCode}`;
};

/** However this process dies, the kernel closes the pipe. Then `read` returns, and the watcher kills the child. */
const watch = (pid: number): ChildProcess => {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  return watcher;
};

const identitySchema = z.object({ pid: z.int(), startedAt: z.string() });

export const readIdentity = (file: string): ProcessIdentity | undefined => {
  if (!existsSync(file)) return undefined;
  const parsed = identitySchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : undefined;
};

/** Kills the process that the file names, unless its pid now belongs to another process. */
export const endOrphan = async (pidFile: string): Promise<void> => {
  const orphan = readIdentity(pidFile);
  if (!orphan || !isRunning(orphan)) return;
  process.kill(orphan.pid, 'SIGKILL');
  while (isRunning(orphan)) await delay(10);
};
