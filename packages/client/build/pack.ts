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

/**
 * Where the published package has its code and types. The entries other than `exports` are for resolvers that do not
 * support `exports`.
 */
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

const schema = 'generated/schema.d.ts';

/** Writes a CommonJS version of each built ES module, and type declarations that a compiler treats as CommonJS. */
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
  // The generated types make up most of the package's size. So the package contains only the copy in `cjs`, and the
  // ES modules take the types from there.
  writeFileSync(join(dist, schema), "export type * from '../cjs/generated/schema.js';\n");
};

/**
 * In the repository the package is TypeScript, which Node runs without a build. Node strips no types under
 * `node_modules`, so the packed package has JavaScript and declarations, and its manifest names these.
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
