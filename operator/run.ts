import { inspect } from 'node:util';
import { exitCodes, failureOf } from './exit-code.ts';
import { endQuietlyOnClosedPipe, sayFailure } from './output.ts';
import { createProgram } from './program.ts';

/** Does what a command line says, and answers the exit code. */
export const runCommand = async (argv: readonly string[]): Promise<number> => {
  try {
    const program = await createProgram(argv);
    await program.parseAsync(argv, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // What nobody expected is told with its stack: here, since Node.js would print what is stored as it is.
    const failure = failureOf(error) ?? { exitCode: exitCodes.failed, message: inspect(error) };
    if (failure.message !== undefined) sayFailure(failure.message);
    return failure.exitCode;
  }
};

/** Does what this process was told to, and sets its exit code. */
export const run = async (): Promise<void> => {
  process.exitCode = exitCodes.done;
  endQuietlyOnClosedPipe();
  process.exitCode = await runCommand(process.argv.slice(2));
};
