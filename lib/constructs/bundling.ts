import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

/** The path of a file in this project, wherever the app is started. */
function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The bundle of one function, `<area>/<verb-noun>`. The first request bundles all functions. */
export function functionCode(entry: string): Code {
  return Code.fromAsset(fromRoot('functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the CDK, but never used: the local bundling below always succeeds.
      image: DockerImage.fromRegistry('none'),
      // Distinguishes the bundles for the CDK, which caches one for each folder and command.
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
  const bundle = bundles.get(entry);
  if (bundle === undefined) throw new Error(`There is no function functions/${entry}/index.ts`);
  return bundle;
}

const suffix = '.mjs';
let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * By `<area>/<verb-noun>`. There is no source map, which would be loaded with every cold start: the same commit bundles
 * to the same bytes, so a map can be made when a stack trace needs one.
 */
function bundleAll(): ReadonlyMap<string, Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-bundles-'));
  try {
    execFileSync(process.execPath, [fromRoot('lib/constructs/bundle-functions.ts'), directory], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    return new Map(
      files
        .filter((file) => file.endsWith(suffix))
        .map((file) => [
          file.slice(0, -suffix.length).replaceAll(sep, '/'),
          readFileSync(join(directory, file)),
        ]),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
