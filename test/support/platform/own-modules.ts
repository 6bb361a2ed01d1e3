import { vi } from 'vitest';

/**
 * Runs before each integration test file. The files that one process runs share the packages that they have imported,
 * because importing them takes seconds. They do not share what the modules of this project remember.
 */
vi.resetModules();
