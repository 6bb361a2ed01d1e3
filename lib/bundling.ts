import { fileURLToPath } from 'node:url';
import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/** The place of a file of this project, wherever the app is started from. */
export function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * How every function is bundled. There is no source map, which would only be loaded with every cold start: the same
 * commit bundles to the same bytes, so that a map can be made when a stack trace asks for one.
 */
export const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: LogLevel.WARNING,
  // The clients in the bundle are the tested ones; those in the runtime change under a running system.
  bundleAwsSDK: true,
  esbuildArgs: {
    '--alias': `@aws-sdk/credential-provider-node=${fromRoot('shared/adapters/environment-credentials.ts')}`,
  },
};
