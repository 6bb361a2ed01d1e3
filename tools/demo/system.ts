import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Outputs } from '../../local/outputs.ts';
import { UnexpectedError } from './step.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface FoundSystem {
  readonly outputs: Outputs;
  readonly outputsFile: string;
  readonly isOurs: boolean;
}

const readOutputs = (file: string): Outputs => JSON.parse(readFileSync(file, 'utf8'));

/**
 * This time is long because the first call to a function starts it, which takes seconds on a busy machine. A closed
 * port is reported immediately.
 */
const probeMilliseconds = 15_000;

/** Checks that a system is really running. A system that was killed leaves behind the file with its addresses. */
const isAnswering = async ({ base_url, oidc_issuer }: Outputs): Promise<boolean> => {
  const urls = [`${base_url}/api/v3/ott/events/?limit=1`, `${oidc_issuer}/.well-known/openid-configuration`];
  const answers = await Promise.allSettled(
    urls.map(async (url) => {
      const response = await fetch(url, { signal: AbortSignal.timeout(probeMilliseconds) });
      await response.body?.cancel();
    }),
  );
  return answers.every(({ status }) => status === 'fulfilled');
};

export const findSystem = async (outputsFile: string): Promise<FoundSystem | undefined> => {
  if (!existsSync(outputsFile)) return undefined;
  const outputs = readOutputs(outputsFile);
  return (await isAnswering(outputs)) ? { outputs, outputsFile, isOurs: false } : undefined;
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
};

const ports = ['aws', 'api', 'chain', 'oidc', 'entitlement', 'geolocation', 'distribution'];

export const startSystem = async ({
  signal,
  atEnd,
}: {
  readonly signal: AbortSignal;
  readonly atEnd: (title: string, undo: () => Promise<unknown>) => void;
}): Promise<FoundSystem> => {
  signal.throwIfAborted();
  const stateDirectory = mkdtempSync(join(tmpdir(), 'marquee-demo-'));
  const child = spawn(
    process.execPath,
    ['local/main.ts', '--state-dir', stateDirectory, ...ports.flatMap((name) => [`--port-${name}`, '0'])],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  atEnd('End the system', async () => {
    await end(child);
    rmSync(stateDirectory, { recursive: true, force: true });
  });
  const said: string[] = [];
  const ready = Promise.withResolvers<void>();
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      said.push(line);
      if (line.startsWith('Ready after')) ready.resolve();
    });
  }
  child.once('exit', (code) =>
    ready.reject(
      new UnexpectedError({ expected: 'a system that runs', seen: `exit ${code}: ${said.join('\n')}` }),
    ),
  );
  child.once('error', ready.reject);
  signal.addEventListener('abort', () => ready.reject(signal.reason), { once: true });
  await ready.promise;
  const outputsFile = join(stateDirectory, 'outputs.json');
  return { outputs: readOutputs(outputsFile), outputsFile, isOurs: true };
};
