import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles source text as the CDK app bundles a function, and returns the folder that contains `index.mjs`.
 *
 * @public
 */
export const bundleFunction = async (source: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'a function '));
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    outfile: join(folder, 'index.mjs'),
    logLevel: 'silent',
  });
  return folder;
};

/**
 * Creates a new folder in the system's temporary folder.
 *
 * @public
 */
export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'a test '));
