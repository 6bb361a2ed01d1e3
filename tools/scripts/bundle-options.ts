import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** How code for Lambda is bundled. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  // The bundle contains all code, because the AWS clients in Lambda's runtime change while the system runs.
  alias: {
    '@aws-sdk/credential-provider-node': `${root}shared/platform/aws/environment-credentials.ts`,
    '@smithy/core/event-streams': `${root}shared/platform/aws/unused-sdk-parts.ts`,
  },
  legalComments: 'none',
} as const satisfies BuildOptions;
