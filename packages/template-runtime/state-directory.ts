import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from './durable-file.ts';
import { endOrphan, readIdentity } from './processes/child-process.ts';
import { identifyProcess, isRunning } from './processes/process-identity.ts';

/** Depends on the sources and not on what was done, so a fresh start need not make it again. */
const assemblyName = 'cdk.out';

export interface StateDirectory {
  readonly path: string;
  /** Lets another runtime use it. */
  release(): void;
}

/** Takes the folder for this process. Throws when a runtime that is alive has it. */
export const openStateDirectory = async (
  path: string,
  { fresh }: { fresh: boolean },
): Promise<StateDirectory> => {
  const lock = join(path, 'run', 'runtime.json');
  const holder = readIdentity(lock);
  if (holder && isRunning(holder) && holder.pid !== process.pid) {
    throw new Error(
      `A runtime with its state in ${path} runs already (process ${holder.pid}); stop it first.`,
    );
  }
  await endOrphans(join(path, 'run'));
  if (fresh && existsSync(path)) {
    for (const entry of readdirSync(path)) {
      if (entry !== assemblyName) rmSync(join(path, entry), { recursive: true });
    }
  }
  mkdirSync(path, { recursive: true });
  const self = identifyProcess(process.pid);
  if (self) writeFileDurably(lock, JSON.stringify(self));
  return { path, release: () => rmSync(lock, { force: true }) };
};

/** A killed runtime may have left children that still hold its files and ports. */
const endOrphans = async (directory: string): Promise<void> => {
  if (!existsSync(directory)) return;
  for (const file of readdirSync(directory)) {
    if (file.endsWith('.json') && file !== 'runtime.json') await endOrphan(join(directory, file));
  }
};
