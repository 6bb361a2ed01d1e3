import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// This needs Node.js 20 or newer and no dependencies.
const root = new URL('../../', import.meta.url);
const stamp = new URL('node_modules/.marquee-lock', root);
const wanted = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', root)))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

/** Whether `node_modules` has what the lock file says. */
export const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

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
    cwd: fileURLToPath(root),
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
  writeFileSync(stamp, wanted);
};
