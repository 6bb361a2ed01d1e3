import { vi } from 'vitest';
import { createProgram } from '../../../operator/program.ts';

/** Whoever asks: what a command prints is caught for the whole process. */
let last: Promise<unknown> = Promise.resolve();

/** Runs commands within this process, one after the other; answers what they print on standard output. */
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
