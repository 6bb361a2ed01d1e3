import { fileURLToPath } from 'node:url';
import 'template-runtime/testing/wanted-node.mjs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/platform/longest-first.ts';

/**
 * Wide deadlines for the service, so that no outcome depends on the speed of the machine. Simulated worlds keep the usual
 * ones, because their clocks are driven.
 */
const PATIENCE = '10';

export default defineConfig({
  test: {
    globalSetup: ['test/support/platform/template-setup.ts'],
    env: {
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      // Tests start the same programs about a hundred times. Without this cache, compiling them again would take a
      // fifth of the time of the end-to-end tests.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/marquee/compiled', import.meta.url)),
    },
    // The timeouts only end tests that hang. On a busy machine, everything takes several times as long as usual.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // Files that run in one process share the modules that they have imported. Otherwise, unit tests would spend
        // most of their time on imports.
        test: {
          name: 'unit',
          env: { PATIENCE },
          include: ['test/unit/**/*.test.ts', 'packages/client/test/unit/**/*.test.ts'],
          isolate: false,
          // By default, Vitest uses one worker fewer than there are cores. With two cores, one of them would be idle.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          include: ['test/simulation/*.test.ts'],
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        // These tests spend most of their time waiting for blocks.
        test: {
          name: 'integration',
          env: { PATIENCE },
          include: ['test/integration/**/*.test.ts'],
          isolate: false,
          setupFiles: ['test/support/platform/own-modules.ts'],
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Each file runs the whole local runtime.
        test: {
          name: 'e2e',
          env: { PATIENCE },
          // The root's `globalSetup` runs once for all projects, and not once for each.
          globalSetup: ['test/support/platform/assembly-setup.ts'],
          include: ['test/e2e/**/*.test.ts'],
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        // What takes minutes: walks through the guides and workflows, browsers, faults that need time to be noticed.
        // `npm run drills` runs them; `npm test` runs all others.
        test: {
          name: 'drills',
          globalSetup: ['test/support/platform/assembly-setup.ts'],
          include: ['test/drills/**/*.test.ts'],
          maxWorkers: 4,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
