import { synthesizeAssembly, warnOfFailure } from './local-assembly.ts';

/** End-to-end tests all start what is made here once. On a template that breaks a rule they do not start. */
export const setup = (): Promise<void> => synthesizeAssembly().catch(warnOfFailure);
