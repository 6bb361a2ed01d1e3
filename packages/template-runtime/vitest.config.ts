import { defineConfig } from 'vitest/config';
import './testing/wanted-node.mjs';

export default defineConfig({
  test: {
    // The timeouts only end tests that hang. On a busy machine, everything takes several times as long as usual.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        // Files that run in one process share the modules that they have imported.
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        // These tests spend most of their time waiting for engines.
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
