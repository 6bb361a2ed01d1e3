import { exitCodes, failureOf } from './exit-code.ts';
import { endQuietlyOnClosedPipe } from './output.ts';
import { createProgram } from './program.ts';

process.exitCode = exitCodes.done;
for (const stream of [process.stdout, process.stderr]) endQuietlyOnClosedPipe(stream);
try {
  await createProgram().parseAsync();
} catch (error) {
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  if (failure.message !== undefined) process.stderr.write(`${failure.message}\n`);
  process.exitCode = failure.exitCode;
}
