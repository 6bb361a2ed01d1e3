import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

/** The place of a file of this project, wherever the app is started from. */
export function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/**
 * The bundle of one function, `<area>/<verb-noun>`. The first one asked for bundles all functions in one run of
 * esbuild, which then reads what they share once: that takes a third of the time of a run for each.
 */
export function functionCode(entry: string): Code {
  return Code.fromAsset(fromRoot('functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Named because it has to be; what is below never leaves it anything to do.
      image: DockerImage.fromRegistry('none'),
      // Tells the bundles apart for the CDK, which keeps one for each folder and command.
      command: [entry],
      local: {
        tryBundle(outputDirectory) {
          writeFileSync(join(outputDirectory, 'index.mjs'), bundleOf(entry));
          return true;
        },
      },
    },
  });
}

function bundleOf(entry: string): Uint8Array {
  bundles ??= bundleAll();
  const bundle = bundles.get(`/${entry}.mjs`);
  if (bundle === undefined) throw new Error(`There is no function functions/${entry}/index.ts`);
  return bundle;
}

let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * By path below `/`. There is no source map, which would only be loaded with every cold start: the same commit
 * bundles to the same bytes, so that a map can be made when a stack trace asks for one.
 */
function bundleAll(): ReadonlyMap<string, Uint8Array> {
  const entries = readdirSync(fromRoot('functions')).flatMap((area) =>
    readdirSync(fromRoot(`functions/${area}`)).map((name) => `${area}/${name}`),
  );
  const { outputFiles } = buildSync({
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, fromRoot(`functions/${entry}/index.ts`)])),
    absWorkingDir: fromRoot('.'),
    bundle: true,
    write: false,
    outdir: '/',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'warning',
    // All that the code needs is in the bundle: the clients in Lambda's runtime change under a running system.
    alias: {
      '@aws-sdk/credential-provider-node': fromRoot('shared/adapters/environment-credentials.ts'),
      '@aws-sdk/endpoint-cache': fromRoot('shared/adapters/unused-sdk-parts.ts'),
      '@smithy/core/event-streams': fromRoot('shared/adapters/unused-sdk-parts.ts'),
    },
    legalComments: 'none',
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}
