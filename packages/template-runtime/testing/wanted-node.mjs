/**
 * Whoever imports this file ends at once if the process runs on an older Node.js than the one of the lock file, which npm
 * installs as the package `node`. On an older one, tests fail with messages about something else. Node.js 20 must be
 * able to run this file, so it is not TypeScript.
 */
import { createRequire } from 'node:module';

/** @param {string} version */
const major = (version) => Number(version.split('.')[0]);

const { version } = createRequire(import.meta.url)('node/package.json');
if (major(process.versions.node) < major(version)) {
  console.error(
    `The tests need Node.js ${major(version)}, but this is Node.js ${process.versions.node}: run them with ` +
      '`npm test -- …` or `npx vitest …`, which use the Node.js in node_modules.',
  );
  process.exit(1);
}
