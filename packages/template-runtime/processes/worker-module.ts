import { fileURLToPath } from 'node:url';
import { buildSync, stop } from 'esbuild';

const made = new Map<string, URL>();

/**
 * Bundles a module and its imports into plain JavaScript for worker threads, once for each file and process. If a
 * worker loaded TypeScript, it would first load the parser that strips the types. That would take a third of the
 * worker's start time and ten megabytes. The module may import Node's own modules and files next to it.
 */
export const workerModule = (file: URL): URL => {
  const known = made.get(file.href);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(file)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  // esbuild would otherwise keep a thread and a process alive for the next build.
  void stop();
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const url = new URL(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);
  made.set(file.href, url);
  return url;
};
