/**
 * Bundles all functions in one run of esbuild, which then reads what they share once: that takes a third of the time of
 * a run for each. Run as `bundle-functions.ts FOLDER`, where `<area>/<verb-noun>.mjs` is put: a program of its own, since
 * esbuild takes no plugin where it is not waited for, and the CDK waits for nothing.
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const [outdir = ''] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** zod's makers of JSON Schema, which every schema refers to and only the OpenAPI document calls. */
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
    // Each client reads its version in it.
    onLoad({ filter: packageFile }, async ({ path }) => {
      const { version }: { readonly version?: string } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

const entries = readdirSync(`${root}functions`).flatMap((area) =>
  readdirSync(`${root}functions/${area}`).map((name) => `${area}/${name}`),
);

await build({
  entryPoints: Object.fromEntries(entries.map((entry) => [entry, `${root}functions/${entry}/index.ts`])),
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
  // All that the code needs is in the bundle: the clients in Lambda's runtime change under a running system.
  alias: {
    '@aws-sdk/credential-provider-node': `${root}shared/adapters/environment-credentials.ts`,
    '@smithy/core/event-streams': `${root}shared/adapters/unused-sdk-parts.ts`,
  },
  plugins: [leaveOut],
  legalComments: 'none',
});
