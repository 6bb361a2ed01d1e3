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
import { writeFileDurably } from '../durable-file.ts';

export interface CdkApp {
  /** The folder that contains `cdk.json`. The app runs in it. */
  readonly root: string;
  readonly entryPoint: string;
  /** Files and folders below `root` that the app, its bundles and its assets depend on. */
  readonly sources: readonly string[];
  /** Holds the cached assemblies of the current sources: for each context, one with bundles and one without. */
  readonly cacheDirectory: string;
}

export interface SynthesisOptions {
  readonly app: CdkApp;
  readonly context: Readonly<Record<string, string>>;
  readonly outputDirectory: string;
  /** Skips bundling and validation, for callers that only read the template. @default false */
  readonly templateOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Runs the CDK app as `cdk synth` does. Reuses the cached result when the sources are unchanged. Throws with the app's
 * output when the app fails, but not when the template only breaks a validation rule.
 */
export const synthesize = async (options: SynthesisOptions): Promise<void> => {
  const output = resolve(options.outputDirectory);
  const stamp = join(output, '.sources');
  const fingerprint = fingerprintOf(options);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;

  const { cacheDirectory } = options.app;
  const kind = [...Object.values(options.context), options.templateOnly ? 'template' : 'bundled', ''].join(
    '-',
  );
  const kept = join(cacheDirectory, `${kind}${fingerprint}`);
  if (!existsSync(kept)) {
    const unfinished = `${kept}.${process.pid}`;
    const { code, said } = await runApp(unfinished, options);
    if (code !== 0) {
      if (existsSync(unfinished)) replaceWith(output, () => renameSync(unfinished, output));
      throw new Error(`The CDK app did not synthesize:\n${said}`);
    }
    forgetEarlier(cacheDirectory, kind);
    if (!existsSync(kept)) renameSync(unfinished, kept);
  }
  // Copies the cached assembly, because a function's bundle is loaded only on the function's first call. If the sources
  // change before that call, another synthesis may delete the cached assembly.
  replaceWith(output, () => cpSync(kept, output, { recursive: true }));
  writeFileDurably(stamp, fingerprint);
};

const replaceWith = (directory: string, replace: () => void): void => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(dirname(directory), { recursive: true });
  replace();
};

/** An unfinished folder that is younger than this may still be in use: another process may be writing it. */
const unfinishedMilliseconds = 600_000;

const forgetEarlier = (cache: string, kind: string): void => {
  for (const entry of readdirSync(cache)) {
    if (!entry.startsWith(kind)) continue;
    const path = join(cache, entry);
    // Another process may have deleted the folder after it was listed.
    const made = statSync(path, { throwIfNoEntry: false });
    if (made === undefined) continue;
    const isYoung = Date.now() - made.mtimeMs < unfinishedMilliseconds;
    if (!(entry.includes('.') && isYoung)) rmSync(path, { recursive: true, force: true });
  }
};

const runApp = async (
  outputDirectory: string,
  options: SynthesisOptions,
): Promise<{ readonly code: number | null; readonly said: string }> => {
  const app = spawn(process.execPath, [options.app.entryPoint], {
    cwd: options.app.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CDK_OUTDIR: outputDirectory,
      CDK_CONTEXT_JSON: JSON.stringify(contextOf(options)),
      // Skips validation, which takes two thirds of the time of a synthesis without bundles.
      ...(options.templateOnly && { CDK_VALIDATION: 'false' }),
    },
    ...(options.signal && { signal: options.signal }),
  });
  const chunks: Buffer[] = [];
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(app, 'close');
  return { code, said: Buffer.concat(chunks).toString('utf8').trim() };
};

/** The context from `cdk.json`, overridden by `options.context`, just as the CDK command line's `-c` overrides it. */
const contextOf = ({
  app,
  context,
  templateOnly = false,
}: Pick<SynthesisOptions, 'app' | 'context' | 'templateOnly'>): Record<string, unknown> => {
  const file: { context?: Record<string, unknown> } = JSON.parse(
    readFileSync(join(app.root, 'cdk.json'), 'utf8'),
  );
  return {
    ...file.context,
    'aws:cdk:enable-path-metadata': true,
    ...(templateOnly && { 'aws:cdk:bundling-stacks': [] }),
    ...context,
  };
};

/** Changes with everything that the result of a synthesis depends on. */
export const fingerprintOf = (
  options: Pick<SynthesisOptions, 'app' | 'context' | 'templateOnly'>,
): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify(contextOf(options)))
    .update(process.version);
  for (const source of options.app.sources) addTo(hash, join(options.app.root, source), source);
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
