import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { dependencies, optionalDependencies, devDependencies, name } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const sources = globSync('**/*.ts', { cwd: root, exclude: ['node_modules/**'] });
const imports = sources.flatMap((file) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(/(?:^import |\bfrom |\bimport\()'([^'\n]+)'\)?;$/gm),
  ].map(([, specifier = '']) => ({ file, specifier })),
);

it('the package refers to no file outside its folder', () => {
  // Relative paths in imports, types, URLs and calls alike.
  const paths = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(['"`])(\.\.?\/[^'"`\n]*)\1/g)].map(
      ([, , path = '']) => ({ file, path }),
    ),
  );
  const outside = paths.filter(({ file, path }) =>
    relative(root, resolve(root, file, '..', path)).startsWith('..'),
  );

  expect(paths.length).toBeGreaterThan(500);
  expect(outside).toEqual([]);
});

it('the package imports only packages that its package.json names', () => {
  const used = imports
    .filter(({ specifier }) => /^@?[a-z]/.test(specifier) && !specifier.startsWith('node:'))
    .map(({ file, specifier }) => {
      const [scope = '', inner = ''] = specifier.split('/');
      return { file, used: scope.startsWith('@') ? `${scope}/${inner}` : scope };
    });
  const ofTests = (file: string): boolean => /^(test|testing)\/|config\.ts$/.test(file);
  const unnamed = used.filter(
    ({ file, used: each }) =>
      !(each in { ...dependencies, ...optionalDependencies, [name]: '' }) &&
      !(`@types/${each}` in devDependencies) &&
      !(ofTests(file) && each in devDependencies),
  );

  expect(unnamed).toEqual([]);
});
