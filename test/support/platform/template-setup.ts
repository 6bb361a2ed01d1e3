import { synthesizeTemplate, warnOfFailure } from './local-assembly.ts';

/**
 * Integration tests create their tables from this template. A template that breaks a rule is good enough for them,
 * because the rules have tests of their own.
 */
export const setup = (): Promise<void> => synthesizeTemplate().catch(warnOfFailure);
