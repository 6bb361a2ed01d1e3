import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// This needs Node.js 20 or newer and no dependencies.
const project = new URL('../../', import.meta.url);

const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages;

/** Whether npm may leave a package out. Which of a platform's packages need which libc is left to npm. */
const mayLack = ({ optional, os, cpu, libc }) =>
  optional &&
  !(
    (os !== undefined || cpu !== undefined) &&
    libc === undefined &&
    (os ?? [process.platform]).includes(process.platform) &&
    (cpu ?? [process.arch]).includes(process.arch)
  );

/**
 * Whether the project's `node_modules` has what the lock file says, whichever command of npm has installed it. npm writes
 * what it has installed to a file there, as the last step.
 */
export const isInstalled = (root = project) => {
  try {
    const installed = packagesOf(new URL('node_modules/.package-lock.json', root));
    const { '': _, ...wanted } = packagesOf(new URL('package-lock.json', root));
    return Object.entries(wanted).every(([folder, each]) => {
      const found = installed[folder];
      if (found === undefined) return mayLack(each);
      return found.version === each.version && found.integrity === each.integrity;
    });
  } catch {
    return false;
  }
};

/** Installs the dependencies from the lock file, unless they are installed. Ends the process if that fails. */
export const ensureInstalled = () => {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    console.error(`Marquee needs Node.js 20 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  if (isInstalled()) return;
  console.log('Installing dependencies from package-lock.json …');
  const npm = process.env.npm_execpath;
  const [command, prefix] = npm ? [process.execPath, [npm]] : ['npm', []];
  const install = spawnSync(command, [...prefix, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(project),
    stdio: 'inherit',
  });
  if (install.status !== 0) {
    console.error(
      'The dependencies could not be installed: see the messages of npm above. The first start downloads them from the ' +
        'npm registry, so it needs the network, perhaps through a proxy (npm config set proxy …). Later starts need ' +
        'no network. Run the command again when the problem is solved.',
    );
    process.exit(install.status ?? 1);
  }
};
