import { vi } from 'vitest';
import { createProgram } from '../../../../operator/program.ts';

/**
 * The newest command of any caller. Commands run one at a time, because the output of the whole process is captured.
 */
let last: Promise<unknown> = Promise.resolve();

/** Runs operator commands in this process, one at a time, and returns what they print to standard output. */
export const operatorInProcess = (outputsFile: string) => {
  const run = async (argv: readonly string[]): Promise<string> => {
    const texts: string[] = [];
    const writes = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      texts.push(String(text));
      return true;
    });
    const remarks = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    try {
      await (await createProgram(argv)).parseAsync(['--outputs', outputsFile, ...argv], { from: 'user' });
    } finally {
      writes.mockRestore();
      remarks.mockRestore();
    }
    return texts.join('');
  };
  return (...argv: readonly string[]): Promise<string> => {
    const running = last.then(() => run(argv));
    last = running.catch(() => {});
    return running;
  };
};
