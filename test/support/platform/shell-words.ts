import { execFileSync } from 'node:child_process';

/** The words of a command line as a shell passes them on. */
export const shellWords = (line: string): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
