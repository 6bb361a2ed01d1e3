import { existsSync, readFileSync } from 'node:fs';
import { writeFileDurably } from 'template-runtime/durable-file.ts';
import type * as z from 'zod';

export interface KeptState<State> {
  read(): State;
  /** The state is stored on the disk before this returns. */
  write(state: State): void;
}

/** A small state in one JSON file. It survives if the process is killed at any moment. */
export const keepState = <State>({
  path,
  schema,
  initial,
}: {
  readonly path: string;
  readonly schema: z.ZodType<State>;
  readonly initial: State;
}): KeptState<State> => {
  let current: State = existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : initial;
  return {
    read: () => current,
    write(state) {
      writeFileDurably(path, JSON.stringify(state));
      current = state;
    },
  };
};
