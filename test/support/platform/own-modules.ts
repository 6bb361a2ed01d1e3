import { vi } from 'vitest';

/**
 * Runs before each integration test file. The files that one process runs share imported packages, because importing
 * them takes seconds. The modules of this project are loaded again for each file, so files share no state.
 */
vi.resetModules();
