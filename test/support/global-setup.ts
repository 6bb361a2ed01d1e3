import { synthesize } from 'template-runtime/assembly/synthesize.ts';
import { app } from '../../local/app.ts';
import { templateDirectory } from './local-assembly.ts';

/**
 * Tables of integration tests are those of the template. A template that breaks a rule still has them: the rules have
 * tests of their own, and the end-to-end tests do not start on such a template.
 */
export const setup = async (): Promise<void> => {
  try {
    await synthesize({
      app,
      context: { stage: 'local' },
      outputDirectory: templateDirectory,
      bundling: false,
    });
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error);
  }
};
