import { once } from 'node:events';
import { Command } from 'commander';
import { operatorOf } from '../../platform/target/operator.ts';
import { naturalNumber } from '../../platform/terminal/arguments.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { startConsole } from './server.ts';

/** What to do if nothing can listen on the port; `undefined` for any other error. */
const portError = (port: number, cause: unknown): OperatorError | undefined => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  const problem = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
  return new OperatorError({
    message: `Port ${port} ${problem}. Choose another one with --port (0 chooses a free one).`,
    cause,
  });
};

export const consoleCommand = (): Command =>
  new Command('console')
    .description('serve read-only pages about the stage on this machine, to one browser, until Ctrl-C')
    .option('--port <number>', 'the port on 127.0.0.1; 0 chooses a free one', naturalNumber, 4580)
    .action(async ({ port }: { readonly port: number }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const { url, stop } = await startConsole(target, { port, remark: output.remark }).catch(
        (cause: unknown) => {
          throw portError(port, cause) ?? cause;
        },
      );
      output.fields({ url });
      output.remark('Open this address in a browser; it works only once. Ctrl-C ends the console.');
      const ended = new AbortController();
      await Promise.race(
        ['SIGINT', 'SIGTERM'].map((signal) => once(process, signal, { signal: ended.signal })),
      );
      ended.abort();
      await stop();
      // Open connections to the stage would keep the process alive.
      process.exit(0);
    });
