// Runs before every npm script, on any Node from 20 on and without dependencies. Installs from the lock file when
// node_modules does not match it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const stamp = new URL('node_modules/.marquee-lock', root);
const wanted = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', root)))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Marquee needs Node.js 20 or newer; this is ${process.version}.`);
  process.exit(1);
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing dependencies from package-lock.json …');
  const npm = process.env.npm_execpath;
  const [command, prefix] = npm ? [process.execPath, [npm]] : ['npm', []];
  const install = spawnSync(command, [...prefix, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  });
  if (install.status !== 0) {
    console.error(
      'The dependencies could not be installed: see what npm says above. The first start fetches them from the npm ' +
        'registry and needs the network, maybe by a proxy (npm config set proxy …); later ones do not. Then run it again.',
    );
    process.exit(install.status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
