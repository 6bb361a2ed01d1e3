import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

const functions = fileURLToPath(new URL('../../../functions/', import.meta.url));
let bundles: string | undefined;

/**
 * The bundle of one function, named `<area>/<verb-noun>`. The first call bundles all functions. The bundles contain no
 * source maps, because every cold start would load them. The same commit always produces the same bundle, so a source
 * map can be created later, when a stack trace needs it.
 */
export function functionCode(scope: Construct, entry: string): Code {
  if (!Stack.of(scope).bundlingRequired) return Code.fromAsset(functions);
  bundles ??= bundleAll();
  return Code.fromAsset(join(bundles, entry));
}

function bundleAll(): string {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-bundles-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const program = fileURLToPath(new URL('../../../tools/scripts/bundle-functions.ts', import.meta.url));
  execFileSync(process.execPath, [program, directory], { stdio: ['ignore', 'inherit', 'inherit'] });
  return directory;
}
