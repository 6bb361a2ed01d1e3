import { readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

/** A block of shell commands in a Markdown file, with the comment directly above it, if there is one. */
export interface CommandBlock {
  readonly line: number;
  readonly commands: string;
  /** Why the commands are not run, e.g. `AWS only`. */
  readonly remark: string | undefined;
}

/** The `sh` blocks of a file, in their order. */
export const commandBlocks = (file: string): CommandBlock[] => {
  const text = readFileSync(new URL(file, root), 'utf8');
  const block = /(?:^<!-- ([^\n]*) -->\n+)?^```sh\n(.*?)^```$/gms;
  return [...text.matchAll(block)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    remark: match[1],
    commands: match[2] ?? '',
  }));
};
