import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFileDurably } from '../durable-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Assemblies of the present sources, one for each kind. */
const cache = join(root, 'node_modules/.cache/marquee/assemblies');

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
 * Runs the CDK app as `cdk synth` does, into `outputDirectory`, unless it was run for the very same sources before.
 * Throws with what the app said when it fails; a template that only broke a rule is there all the same.
 */
export const synthesize = async (options: SynthesisOptions): Promise<void> => {
  const output = resolve(options.outputDirectory);
  const stamp = join(output, '.sources');
  const fingerprint = fingerprintOf(options);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;

  const kind = `${options.stage}-${options.bundling === false ? 'template' : 'bundled'}-`;
  const kept = join(cache, `${kind}${fingerprint}`);
  if (!existsSync(kept)) {
    const unfinished = `${kept}.${process.pid}`;
    const { code, said } = await runApp(unfinished, options);
    if (code !== 0) {
      if (existsSync(unfinished)) replaceWith(output, () => renameSync(unfinished, output));
      throw new Error(`The CDK app did not synthesize:\n${said}`);
    }
    forgetEarlier(kind);
    if (!existsSync(kept)) renameSync(unfinished, kept);
  }
  // A copy of one's own: a runtime loads functions when they are first called, and sources may change before that.
  replaceWith(output, () => cpSync(kept, output, { recursive: true }));
  writeFileDurably(stamp, fingerprint);
};

const replaceWith = (directory: string, replace: () => void): void => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(dirname(directory), { recursive: true });
  replace();
};

/** What another process is still making is young. */
const unfinishedMilliseconds = 600_000;

const forgetEarlier = (kind: string): void => {
  for (const entry of readdirSync(cache)) {
    const path = join(cache, entry);
    const isYoung = Date.now() - statSync(path).mtimeMs < unfinishedMilliseconds;
    if (entry.startsWith(kind) && !(entry.includes('.') && isYoung)) rmSync(path, { recursive: true });
  }
};

const runApp = async (
  outputDirectory: string,
  options: SynthesisOptions,
): Promise<{ readonly code: number | null; readonly said: string }> => {
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
  const chunks: Buffer[] = [];
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(app, 'close');
  return { code, said: Buffer.concat(chunks).toString('utf8').trim() };
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
