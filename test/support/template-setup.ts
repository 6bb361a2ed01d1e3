import { synthesizeTemplate, warnOfFailure } from './local-assembly.ts';

/**
 * Tables of integration tests are those of the template. A template that breaks a rule still has them: the rules have
 * tests of their own.
 */
export const setup = (): Promise<void> => synthesizeTemplate().catch(warnOfFailure);
