import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAssembly, type Template } from 'template-runtime/assembly/template.ts';

/** Where the template of stage `local` is kept between test runs; it is made again when a source changes. */
export const templateDirectory = fileURLToPath(
  new URL('../../node_modules/.cache/marquee/template/', import.meta.url),
);

/** The template of stage `local`, without the functions' bundles. */
export const localTemplate = (): Template => readAssembly(join(templateDirectory)).template;
