import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface FollowedFile {
  read(): void;
  close(): void;
}

const chunk = Buffer.alloc(1 << 18);

/**
 * Follows a file, which must exist. Each `read` calls `onLine` for every complete line that was appended since the
 * previous `read`.
 */
export const followFile = (path: string, onLine: (line: string) => void): FollowedFile => {
  const file = openSync(path, 'r');
  let position = fstatSync(file).size;
  let rest = Buffer.alloc(0);
  return {
    read: () => {
      for (;;) {
        const count = readSync(file, chunk, 0, chunk.length, position);
        if (count === 0) return;
        position += count;
        const all = Buffer.concat([rest, chunk.subarray(0, count)]);
        const end = all.lastIndexOf('\n') + 1;
        rest = Buffer.from(all.subarray(end));
        for (const line of all.subarray(0, end).toString('utf8').split('\n')) if (line !== '') onLine(line);
      }
    },
    close: () => closeSync(file),
  };
};
