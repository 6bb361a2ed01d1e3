import { createRequire } from 'node:module';

const major = (version: string): number => Number(version.split('.')[0]);

/**
 * Ends the process if it runs on an older Node.js than the one of the lock file, which npm installs as the package
 * `node`. Older ones fail in many tests, with messages about something else.
 */
export const requireWantedNode = (): void => {
  const { version } = createRequire(import.meta.url)('node/package.json') as { readonly version: string };
  if (major(process.versions.node) >= major(version)) return;
  console.error(
    `The tests need Node.js ${major(version)}, but this is Node.js ${process.versions.node}: run them with ` +
      '`npm test -- …` or `npx vitest …`, which use the Node.js in node_modules.',
  );
  process.exit(1);
};
