import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';

/** A folder with a release of the project, whose programs are run in it. */
export interface Checkout {
  readonly root: string;
  /**
   * Runs one of the checkout's packages, or a program of this machine. What it prints is shown.
   *
   * @throws OperatorError when it fails.
   */
  run(program: string, ...parameters: readonly string[]): Promise<void>;
  /** Runs a command of the checkout's operator command line. */
  operator(...parameters: readonly string[]): Promise<void>;
  /** The same with more variables in its environment. A secret in them is in no error, and not in the list of processes. */
  operatorWith(
    environment: Readonly<Record<string, string>>,
    ...parameters: readonly string[]
  ): Promise<void>;
  /** The JSON that a command of the operator command line answers. */
  operatorAnswer(...parameters: readonly string[]): Promise<unknown>;
  /** Runs a program, and also writes to the file what it prints. */
  runKeeping(file: string, program: string, ...parameters: readonly string[]): Promise<void>;
}

const said = (program: string, parameters: readonly string[]): string => [program, ...parameters].join(' ');

export const checkoutAt = (root: string): Checkout => {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH];
  const env = { ...process.env, PATH: path.join(delimiter) };
  const options: SpawnOptions = { cwd: root, env };
  const succeeded = (command: string, code: number | null): void => {
    if (code !== 0) throw new OperatorError({ message: `${command} failed${code ? ` with ${code}` : ''}.` });
  };
  const runWith = async (
    environment: Readonly<Record<string, string>>,
    program: string,
    ...parameters: readonly string[]
  ): Promise<void> => {
    const child = spawn(program, parameters, {
      ...options,
      env: { ...env, ...environment },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    succeeded(said(program, parameters), code);
  };
  return {
    root,
    run: (program, ...parameters) => runWith({}, program, ...parameters),
    operator: (...parameters) => runWith({}, 'node', 'operator/main.ts', ...parameters),
    operatorWith: (environment, ...parameters) =>
      runWith(environment, 'node', 'operator/main.ts', ...parameters),
    operatorAnswer: async (...parameters) => {
      const words = ['operator/main.ts', '--json', ...parameters];
      const child = spawn('node', words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      const answer = child.stdout === null ? '' : await text(child.stdout);
      const [code] = await exited;
      succeeded(said('node', words), code);
      return JSON.parse(answer);
    },
    runKeeping: async (file, program, ...parameters) => {
      const child = spawn(program, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      const exited = once(child, 'exit');
      const kept = createWriteStream(file);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.pipe(process.stdout, { end: false });
        stream?.pipe(kept, { end: false });
      }
      const [code] = await exited;
      kept.end();
      await once(kept, 'finish');
      succeeded(said(program, parameters), code);
    },
  };
};
