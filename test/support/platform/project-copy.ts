import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Not copied. The copy links the packages in `node_modules`, but gets its own cache, because the project's cache
 * depends on the project's sources.
 */
const left = new Set(['.git', '.local', 'node_modules']);
const cache = '.cache';

export interface ProjectCopy {
  /** Its folder. */
  readonly root: string;
  remove(): void;
}

export interface Edit {
  /** Below the project's folder. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * A copy of the project. With each edit, one text in one file is replaced, as when an operator edits a stage's file. The
 * copy shares the project's installed packages.
 */
export const copyProject = (...edits: readonly Edit[]): ProjectCopy => {
  const copy = mkdtempSync(join(tmpdir(), 'marquee-copy-'));
  for (const entry of readdirSync(root)) {
    if (!left.has(entry)) cpSync(join(root, entry), join(copy, entry), { recursive: true });
  }
  const installed = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules'));
  for (const entry of readdirSync(installed)) {
    if (entry !== cache) symlinkSync(join(installed, entry), join(copy, 'node_modules', entry));
  }
  for (const { file, from, to } of edits) {
    const text = readFileSync(join(copy, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
    writeFileSync(join(copy, file), text.replace(from, to));
  }
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
};
