import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The readers of this release with all that they need, as one module. */
export const bundleReaders = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: ['test/support/platform/release-readers.ts'],
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    alias: {
      '@aws-sdk/credential-provider-node': `${root}shared/platform/aws/environment-credentials.ts`,
      '@smithy/core/event-streams': `${root}shared/platform/aws/unused-sdk-parts.ts`,
    },
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
};
