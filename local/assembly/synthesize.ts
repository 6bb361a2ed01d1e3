import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFileDurably } from '../durable-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whatever the app, its bundles and its assets are made of. */
const sources = [
  'bin',
  'config',
  'contracts',
  'functions',
  'lib',
  'shared',
  'cdk.json',
  'package-lock.json',
  'tsconfig.json',
];

export interface SynthesisOptions {
  readonly stage: string;
  readonly outputDirectory: string;
  /** Without the functions' bundles, for those who only need the template. @default true */
  readonly bundling?: boolean;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the CDK app as `cdk synth` does, into `outputDirectory`, unless the assembly there was made of the very same
 * sources. Throws with what the app said when it fails; a template that only broke a rule is there all the same.
 */
export const synthesize = async (options: SynthesisOptions): Promise<{ readonly reused: boolean }> => {
  const stamp = join(options.outputDirectory, '.sources');
  const fingerprint = fingerprintOf(options);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return { reused: true };

  // Beside its place first, so that whoever reads the old assembly meanwhile is not disturbed.
  const unfinished = `${options.outputDirectory.replace(/\/$/, '')}.${process.pid}`;
  const { code, output } = await runApp(unfinished, options);
  rmSync(options.outputDirectory, { recursive: true, force: true });
  if (existsSync(unfinished)) renameSync(unfinished, options.outputDirectory);
  if (code !== 0) throw new Error(`The CDK app did not synthesize:\n${output}`);
  writeFileDurably(stamp, fingerprint);
  return { reused: false };
};

const runApp = async (
  outputDirectory: string,
  options: SynthesisOptions,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const app = spawn(process.execPath, ['bin/marquee.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CDK_OUTDIR: outputDirectory,
      CDK_CONTEXT_JSON: JSON.stringify(contextOf(options)),
    },
    ...(options.signal && { signal: options.signal }),
  });
  const said: Buffer[] = [];
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(app, 'close');
  return { code, output: Buffer.concat(said).toString('utf8').trim() };
};

/** As the CDK command line passes it: `cdk.json`'s, then `-c`'s. */
const contextOf = ({ stage, bundling = true }: SynthesisOptions): Record<string, unknown> => {
  const file: { context?: Record<string, unknown> } = JSON.parse(
    readFileSync(join(root, 'cdk.json'), 'utf8'),
  );
  return {
    ...file.context,
    'aws:cdk:enable-path-metadata': true,
    ...(bundling ? {} : { 'aws:cdk:bundling-stacks': [] }),
    stage,
  };
};

const fingerprintOf = (options: SynthesisOptions): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify(contextOf(options)))
    .update(process.version);
  for (const source of sources) addTo(hash, join(root, source), source);
  return hash.digest('hex');
};

const addTo = (hash: ReturnType<typeof createHash>, path: string, name: string): void => {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path).toSorted()) addTo(hash, join(path, entry), `${name}/${entry}`);
    return;
  }
  hash.update(`\0${name}\0`).update(readFileSync(path));
};
