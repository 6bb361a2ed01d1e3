import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface PendingFile {
  /** What was added and not removed when the file was opened. */
  readonly pending: readonly string[];
  /** Is in the file when it returns. */
  add(name: string): void;
  remove(name: string): void;
}

/** The file is written anew after so many lines. */
const linesAtMost = 100_000;

/**
 * Names that outlive the process, also one that is killed: a line for each that comes (`+`) and each that is done (`-`).
 * A crash of the whole machine may lose what its operating system had not written yet.
 */
export const openPendingFile = (path: string): PendingFile => {
  const names = new Set<string>();
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // What has no line feed after it was cut off, and its message was never answered.
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith('+')) names.add(line.slice(1));
    else names.delete(line.slice(1));
  }
  let lines = 0;
  const writeAnew = (): void => {
    writeFileSync(`${path}.new`, [...names].map((name) => `+${name}\n`).join(''));
    renameSync(`${path}.new`, path);
    lines = names.size;
  };
  const append = (line: string): void => {
    appendFileSync(path, `${line}\n`);
    lines += 1;
  };
  writeAnew();
  const pending = [...names];
  return {
    pending,
    add: (name) => {
      append(`+${name}`);
      names.add(name);
    },
    remove: (name) => {
      append(`-${name}`);
      names.delete(name);
      if (lines > Math.max(linesAtMost, 2 * names.size)) writeAnew();
    },
  };
};
