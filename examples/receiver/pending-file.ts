import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface PendingFile {
  /** The names in the file when it was opened: they were added and not removed. */
  readonly pending: readonly string[];
  /** The name is in the file when this returns. */
  add(name: string): void;
  remove(name: string): void;
}

/** After this many lines, the file is rewritten with only the pending names. */
const linesAtMost = 100_000;

/**
 * Keeps names in a file, so that they survive even if the process is killed. The file has a line for each name that is
 * added (`+`) and each that is removed (`-`). A crash of the whole machine may lose lines that the operating system had
 * not yet written to the disk.
 */
export const openPendingFile = (path: string): PendingFile => {
  const names = new Set<string>();
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // A last line without a line feed was cut off by a crash. It is ignored, because its message was not yet answered.
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
      // However often a user changes before the read, there is one line: strangers cannot fill the disk.
      if (names.has(name)) return;
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
