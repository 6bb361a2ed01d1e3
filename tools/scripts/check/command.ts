import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The problems that a check found; empty when it passed. */
export type Findings = readonly string[];

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

export function run({
  program,
  parameters,
  environment = {},
}: {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      fileURLToPath(new URL(`../../../node_modules/.bin/${program}`, import.meta.url)),
      parameters,
      {
        cwd: projectRoot,
        stdio: ['ignore', 'pipe', 'pipe'],
        // The program shares the compile cache of the tests.
        env: {
          NODE_COMPILE_CACHE: `${projectRoot}node_modules/.cache/marquee/compiled`,
          ...process.env,
          ...environment,
        },
      },
    );
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}
