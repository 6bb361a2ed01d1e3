/**
 * Bundles all functions in one run of esbuild, which reads shared code only once: a third of the time of separate runs.
 * `bundle-functions.ts FOLDER` writes them there as `<area>/<verb-noun>/index.mjs`. It is a separate program because
 * esbuild's plugins need an asynchronous run, for which the CDK does not wait.
 */
import { readFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

const [outdir = ''] = process.argv.slice(2);

/** zod's code for JSON Schema. Every schema refers to it, but only the OpenAPI document calls it. */
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
    // Each AWS client reads its version from its package.json.
    onLoad({ filter: packageFile }, async ({ path }) => {
      const { version }: { readonly version?: string } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

await build({
  ...bundleOptions,
  entryPoints: ['functions/**/index.ts'],
  outbase: 'functions',
  outdir,
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
  plugins: [leaveOut],
});
