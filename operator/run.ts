import { inspect } from 'node:util';
import { exitCodes, failureOf } from './platform/terminal/exit-code.ts';
import { endQuietlyOnClosedPipe, sayFailure } from './platform/terminal/output.ts';
import { createProgram } from './program.ts';

/** Runs a command line and returns the exit code. */
export const runCommand = async (argv: readonly string[]): Promise<number> => {
  try {
    const program = await createProgram(argv);
    await program.parseAsync(argv, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // An unexpected error is printed with its stack. It is not left to Node.js, which would print control characters in
    // stored data unescaped.
    const failure = failureOf(error) ?? { exitCode: exitCodes.failed, message: inspect(error) };
    if (failure.message !== undefined) sayFailure(failure.message);
    return failure.exitCode;
  }
};

/** Runs this process's command line and sets its exit code. */
export const run = async (): Promise<void> => {
  process.exitCode = exitCodes.done;
  endQuietlyOnClosedPipe();
  process.exitCode = await runCommand(process.argv.slice(2));
};
