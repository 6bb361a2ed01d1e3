import { synthesizeTemplate } from './local-assembly.ts';

/**
 * Tables of integration tests are those of the template. A template that breaks a rule still has them: the rules have
 * tests of their own, and the end-to-end tests do not start on such a template.
 */
export const setup = async (): Promise<void> => {
  try {
    await synthesizeTemplate();
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error);
  }
};
