import { fileURLToPath } from 'node:url';
import { buildSync, stop } from 'esbuild';

const made = new Map<string, URL>();

/**
 * A module and all that it imports as one of plain JavaScript, for worker threads: given TypeScript, each would load the
 * parser that Node takes the types out with, which is a third of the time that it takes to start and ten megabytes. It
 * may import what Node brings and its own neighbours. Made once for each file of the process.
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
  // It would keep a thread and a process for the next one.
  void stop();
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const url = new URL(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);
  made.set(file.href, url);
  return url;
};
