/**
 * Bundles all functions in one run of esbuild, which then reads shared code once: a third of the time of separate runs.
 * `bundle-functions.ts FOLDER` writes them there as `<area>/<verb-noun>/index.mjs`. It is a program of its own, because
 * esbuild's plugins need an asynchronous run, and the CDK does not wait.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const [outdir = ''] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** zod's makers of JSON Schema. Every schema refers to them, but only the OpenAPI document calls them. */
const jsonSchemaModule = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;
const packageFile = /[\\/]node_modules[\\/]@aws-sdk[\\/][^\\/]+[\\/]package\.json$/;

const leaveOut: Plugin = {
  name: 'leave-out',
  setup: ({ onLoad }) => {
    onLoad({ filter: jsonSchemaModule }, async ({ path }) => {
      const exported = (await readFile(path, 'utf8')).matchAll(/^export (?:function|const) (\w+)/gm);
      const refuse = `const refuse = () => { throw new Error('Bundles leave out what makes JSON Schema'); };`;
      return {
        contents: [refuse, ...exported.map(([, name]) => `export const ${name} = refuse;`)].join('\n'),
      };
    });
    // Each client reads its version from it.
    onLoad({ filter: packageFile }, async ({ path }) => {
      const { version }: { readonly version?: string } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

await build({
  entryPoints: ['functions/**/index.ts'],
  outbase: 'functions',
  absWorkingDir: root,
  bundle: true,
  outdir,
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
  // All code is in the bundle: the clients in Lambda's runtime change under a running system.
  alias: {
    '@aws-sdk/credential-provider-node': `${root}shared/adapters/environment-credentials.ts`,
    '@smithy/core/event-streams': `${root}shared/adapters/unused-sdk-parts.ts`,
  },
  plugins: [leaveOut],
  legalComments: 'none',
});
