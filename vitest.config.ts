import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/template-setup.ts'],
    env: {
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      // What tests start, start a hundred times: a fifth of the time of the end-to-end tests is compiling the same again.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/marquee/compiled', import.meta.url)),
    },
    // They only end what hangs: on a busy machine all takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // Most of their time they would import: files that run in one process share what they have imported.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'packages/*/test/unit/**/*.test.ts'],
          isolate: false,
          // One less than there are cores is what Vitest takes by itself: on two, a core would have nothing to do.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        // Most of their time they wait for blocks.
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts', 'packages/*/test/integration/**/*.test.ts'],
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Each file runs the whole local runtime.
        test: {
          name: 'e2e',
          // The root's runs once for all projects, and not once for each.
          globalSetup: ['test/support/assembly-setup.ts'],
          include: ['test/e2e/**/*.test.ts'],
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
