import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from './durable-file.ts';
import { endOrphan, readIdentity } from './processes/child-process.ts';
import { identifyProcess, isRunning } from './processes/process-identity.ts';

/** The folder of the cloud assembly. The assembly depends only on the sources, so a fresh start can keep it. */
const assemblyName = 'cdk.out';

export interface StateDirectory {
  readonly path: string;
  release(): void;
}

const lockIn = (path: string): string => join(path, 'run', 'runtime.json');

/** The pid of another process that uses the folder, if there is one. */
export const holderOf = (path: string): number | undefined => {
  const holder = readIdentity(lockIn(path));
  return holder && isRunning(holder) && holder.pid !== process.pid ? holder.pid : undefined;
};

const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new Error(`The folder ${path} cannot be written (${code}). Choose another one with --state-dir.`, {
      cause,
    });
  }
};

/**
 * Claims the folder for this process.
 *
 * @throws when a running process uses the folder, or when the folder cannot be written.
 */
export const openStateDirectory = async (
  path: string,
  { fresh }: { fresh: boolean },
): Promise<StateDirectory> => {
  const lock = lockIn(path);
  const holder = holderOf(path);
  if (holder !== undefined) {
    throw new Error(`Another runtime is already using ${path} (process ${holder}). Stop it first.`);
  }
  makeFolder(path);
  await endOrphans(join(path, 'run'));
  if (fresh && existsSync(path)) {
    for (const entry of readdirSync(path)) {
      if (entry !== assemblyName) rmSync(join(path, entry), { recursive: true });
    }
  }
  const self = identifyProcess(process.pid);
  if (self) writeFileDurably(lock, JSON.stringify(self));
  return { path, release: () => rmSync(lock, { force: true }) };
};

/** A killed runtime may have left child processes that still hold its files and ports. */
const endOrphans = async (directory: string): Promise<void> => {
  if (!existsSync(directory)) return;
  for (const file of readdirSync(directory)) {
    if (file.endsWith('.json') && file !== 'runtime.json') await endOrphan(join(directory, file));
  }
};
