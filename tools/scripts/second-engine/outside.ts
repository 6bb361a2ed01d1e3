import { execFile } from 'node:child_process';

/** Runs a program that is installed on this machine, and waits for its end. A missing program counts as failed. */
export const outside = (
  program: string,
  parameters: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<{ readonly ok: boolean; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(program, [...parameters], options, (error, stdout, stderr) => {
      const printed = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, output: error === null ? printed : printed || error.message });
    });
  });
