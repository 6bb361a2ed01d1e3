import { exitCodes, failureOf } from './exit-code.ts';
import { endQuietlyOnClosedPipe, wrappedLines } from './output.ts';
import { createProgram } from './program.ts';

/** Does what this process was told to, and sets its exit code. */
export const run = async (): Promise<void> => {
  process.exitCode = exitCodes.done;
  for (const stream of [process.stdout, process.stderr]) endQuietlyOnClosedPipe(stream);
  try {
    const program = await createProgram(process.argv.slice(2));
    await program.parseAsync();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    if (failure.message !== undefined) {
      process.stderr.write(`${wrappedLines(failure.message, process.stderr)}\n`);
    }
    process.exitCode = failure.exitCode;
  }
};
