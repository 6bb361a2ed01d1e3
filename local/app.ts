import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CdkApp } from 'template-runtime/assembly/synthesize.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

export const app: CdkApp = {
  root,
  entryPoint: 'bin/marquee.ts',
  sources: [
    'bin',
    'config',
    'contracts',
    'functions',
    'lib',
    'shared',
    'cdk.json',
    'package-lock.json',
    'tools/scripts/bundle-functions.ts',
    'tools/scripts/bundle-options.ts',
    'tsconfig.json',
  ],
  cacheDirectory: join(root, 'node_modules/.cache/marquee/assemblies'),
};
