import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.ts';

/** The readers of this release with all that they need, as one module. */
export const bundleReaders = async (): Promise<string> => {
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: ['test/support/platform/release-readers.ts'],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};
