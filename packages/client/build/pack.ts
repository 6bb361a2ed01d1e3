import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
const manifestFile = join(folder, 'package.json');
const savedFile = join(folder, 'package.json.saved');
const licence = join(folder, 'LICENSE');
const dist = join(folder, 'dist');

const conditionsOf = (name: string) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/cjs/${name}.d.ts`, default: `./dist/cjs/${name}.js` },
});

/** Where what is published has its code and its types; a resolver that knows no `exports` has the rest. */
const entries = {
  main: './dist/cjs/index.js',
  types: './dist/cjs/index.d.ts',
  typesVersions: { '*': { notifications: ['./dist/cjs/notifications.d.ts'] } },
  exports: {
    '.': conditionsOf('index'),
    './notifications': conditionsOf('notifications'),
    './package.json': './package.json',
  },
};

/** The types of the document, which are most of the package. */
const schema = 'generated/schema.d.ts';

/** The same modules for `require`, with the declarations that a compiler takes for those of CommonJS. */
const writeCommonJs = (): void => {
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) {
    const target = join(dist, 'cjs', file);
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(dist, file), 'utf8');
    writeFileSync(
      target,
      file.endsWith('.js') ? transformSync(text, { format: 'cjs', platform: 'node' }).code : text,
    );
  }
  writeFileSync(join(dist, 'cjs/package.json'), '{"type":"commonjs"}\n');
  // Once is enough of it.
  writeFileSync(join(dist, schema), "export type * from '../cjs/generated/schema.js';\n");
};

/**
 * In the repository the package is its TypeScript, which Node runs as it is and which needs no build. Under
 * `node_modules` Node strips no types, so that what is packed is JavaScript and declarations, and says so.
 */
const before = (): void => {
  rmSync(dist, { recursive: true, force: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
  writeCommonJs();
  copyFileSync(join(folder, '../../LICENSE'), licence);
  const text = readFileSync(manifestFile, 'utf8');
  writeFileSync(savedFile, text);
  const { scripts: _scripts, devDependencies: _devDependencies, ...manifest } = JSON.parse(text);
  writeFileSync(manifestFile, `${JSON.stringify({ ...manifest, ...entries }, null, 2)}\n`);
};

const after = (): void => {
  writeFileSync(manifestFile, readFileSync(savedFile));
  rmSync(savedFile);
  rmSync(licence);
  rmSync(dist, { recursive: true });
};

if (process.argv[2] === 'after') after();
else before();
