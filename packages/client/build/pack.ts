import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const manifestFile = join(folder, 'package.json');
const savedFile = join(folder, 'package.json.saved');
const licence = join(folder, 'LICENSE');

const exportOf = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });

/**
 * In the repository the package is its TypeScript, which Node runs as it is and which needs no build. Under
 * `node_modules` Node strips no types, so that what is packed is JavaScript and declarations, and says so.
 */
const before = (): void => {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
  copyFileSync(join(folder, '../../LICENSE'), licence);
  const text = readFileSync(manifestFile, 'utf8');
  writeFileSync(savedFile, text);
  const { scripts: _scripts, devDependencies: _devDependencies, ...manifest } = JSON.parse(text);
  const exports = { '.': exportOf('index'), './notifications': exportOf('notifications') };
  writeFileSync(manifestFile, `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
};

const after = (): void => {
  writeFileSync(manifestFile, readFileSync(savedFile));
  rmSync(savedFile);
  rmSync(licence);
  rmSync(join(folder, 'dist'), { recursive: true });
};

if (process.argv[2] === 'after') after();
else before();
