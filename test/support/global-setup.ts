import type { TestProject } from 'vitest/node';
import { synthesizeAssembly, synthesizeTemplate } from './local-assembly.ts';

/**
 * Tables of integration tests are those of the template. A template that breaks a rule still has them: the rules have
 * tests of their own, and the end-to-end tests do not start on such a template. Those all start what is made here once.
 */
export const setup = async ({ name }: TestProject): Promise<void> => {
  try {
    await (name === 'e2e' ? synthesizeAssembly() : synthesizeTemplate());
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error);
  }
};
