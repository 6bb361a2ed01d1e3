import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { synthesize } from 'template-runtime/assembly/synthesize.ts';
import { readAssembly, type Template } from 'template-runtime/assembly/template.ts';
import { app } from '../../../local/app.ts';

/** The cached template of stage `local`. It is synthesized again when a source changes. */
const templateDirectory = fileURLToPath(
  new URL('../../../node_modules/.cache/marquee/template/', import.meta.url),
);

/**
 * Synthesizes stage `local` with its bundles and caches the result, so that systems that start in parallel reuse it.
 */
export const synthesizeAssembly = async (): Promise<void> => {
  const outputDirectory = mkdtempSync(join(tmpdir(), 'marquee-assembly-'));
  try {
    await synthesize({ app, context: { stage: 'local' }, outputDirectory });
  } finally {
    rmSync(outputDirectory, { recursive: true, force: true });
  }
};

/** Synthesizes the template that `localTemplate` reads, unless the existing one is up to date. */
export const synthesizeTemplate = async (): Promise<void> => {
  await synthesize({
    app,
    context: { stage: 'local' },
    outputDirectory: templateDirectory,
    templateOnly: true,
  });
};

/** Only warns, so that tests that do not need the template still run. */
export const warnOfFailure = (error: unknown): void => {
  console.warn(error instanceof Error ? error.message : error);
};

let template: Template | undefined;

/** The template of stage `local`, without the functions' bundles. It is read once: it has one and a half megabytes. */
export const localTemplate = (): Template => {
  template ??= readAssembly(join(templateDirectory)).template;
  return template;
};
