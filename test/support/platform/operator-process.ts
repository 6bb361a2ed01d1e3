import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { System } from './system.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Runs an operator command on the system, in a process of its own and with `--json`.
 * @throws if the command fails
 */
export const runOperator = (
  { stateDirectory }: Pick<System, 'stateDirectory'>,
  ...words: readonly string[]
): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(
    process.execPath,
    ['operator/main.ts', '--outputs', join(stateDirectory, 'outputs.json'), '--json', ...words],
    { cwd: root },
  );

/** Writes a JSON file for a command, and returns its path. */
export const jsonFileOf = (
  { stateDirectory }: Pick<System, 'stateDirectory'>,
  { name, content }: { readonly name: string; readonly content: unknown },
): string => {
  const file = join(stateDirectory, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};
