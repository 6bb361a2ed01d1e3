import { synthesizeAssembly, warnOfFailure } from './local-assembly.ts';

/**
 * Synthesizes the assembly once for all end-to-end tests. If that fails, the tests still run, but cannot start a
 * system.
 */
export const setup = (): Promise<void> => synthesizeAssembly().catch(warnOfFailure);
