import { databaseClient } from './database.ts';
import type { FunctionSurroundings } from './functions.ts';
import type { Process } from './process.ts';
import type { Store } from './store.ts';
import { between, hexOf } from './streams.ts';

/** What replaces DynamoDB, the time and randomness in a process of the service. */
export const surroundingsOf = (
  process: Process,
  { store, streams, history, ...options }: FunctionSurroundings & { readonly store: Store },
) => {
  const wait = (milliseconds: number): Promise<void> => process.after(milliseconds, () => undefined);
  const say = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    history.say(
      process.name,
      `“${message}”${fields.error instanceof Error ? ` ${fields.error.message}` : ''}`,
    );
    options.onLog?.(message, fields);
  };
  return {
    client: databaseClient(store, { ...options, streams, history, process }),
    logger: { debug: () => {}, info: say, warn: say, error: say },
    clock: process.clock,
    randomId: () => hexOf(streams.of(`ids @ ${process.task}`), 16).slice(2),
    pause: (tried: number) =>
      wait(between(streams.of(`pauses @ ${process.task}`), 25, 25 * 2 ** (tried + 1))),
    wait,
    timer: (milliseconds: number, act: () => void): (() => void) => {
      let isCancelled = false;
      void wait(milliseconds).then(() => {
        if (!isCancelled) act();
      });
      return () => {
        isCancelled = true;
      };
    },
  };
};
