import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

it('the threat model names only existing test files', () => {
  const named = [...readFileSync('docs/threat-model.md', 'utf8').matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(
    ([, path = '']) => path,
  );
  const files = [...globSync('test/**/*.test.ts'), ...globSync('packages/*/test/**/*.test.ts')];

  expect(named.length).toBeGreaterThan(15);
  for (const path of named) {
    const isThere = path.includes('/') ? files.includes(path) : files.some((file) => basename(file) === path);
    expect(isThere, path).toBe(true);
  }
});
