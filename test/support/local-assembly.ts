import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { synthesize } from 'template-runtime/assembly/synthesize.ts';
import { readAssembly, type Template } from 'template-runtime/assembly/template.ts';
import { app } from '../../local/app.ts';

/** Where the template of stage `local` is kept; it is made again when a source changes. */
const templateDirectory = fileURLToPath(
  new URL('../../node_modules/.cache/marquee/template/', import.meta.url),
);

/** Bundles and all, once: systems that start beside one another find it kept, and do not each make it. */
export const synthesizeAssembly = async (): Promise<void> => {
  const outputDirectory = mkdtempSync(join(tmpdir(), 'marquee-assembly-'));
  try {
    await synthesize({ app, context: { stage: 'local' }, outputDirectory });
  } finally {
    rmSync(outputDirectory, { recursive: true, force: true });
  }
};

/** Makes the template that `localTemplate` reads, unless it is there and of these sources. */
export const synthesizeTemplate = async (): Promise<void> => {
  await synthesize({
    app,
    context: { stage: 'local' },
    outputDirectory: templateDirectory,
    templateOnly: true,
  });
};

/** Before tests that need no template: they run all the same. */
export const warnOfFailure = (error: unknown): void => {
  console.warn(error instanceof Error ? error.message : error);
};

/** The template of stage `local`, without the functions' bundles. */
export const localTemplate = (): Template => readAssembly(join(templateDirectory)).template;
