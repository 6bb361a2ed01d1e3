import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../', import.meta.url);

/** Every function has types of its own with these names. They are imported only by that function and by the template. */
const ofEachFunction = new Set(['Dependencies', 'Environment']);

/** The exported types of some folders, each with the files that export it. */
const exportedTypes = (folders: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );
  const types = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(new URL(file, root), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm)) {
      if (!ofEachFunction.has(name)) types.set(name, [...(types.get(name) ?? []), file]);
    }
  }
  return types;
};

/** The terms that the glossary defines. A row may define several. */
const terms = readFileSync(new URL('docs/glossary.md', root), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| ([^|]+) \| (?!meaning)/.exec(line)?.[1]?.split(', ') ?? []);

const typeNameOf = (term: string): string =>
  term.replaceAll(/(?:^|[ -])([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe('a glossary term', () => {
  const types = exportedTypes(['functions', 'lib', 'operator', 'shared']);

  it.each(terms)('is the name of at most one exported type: %s', (term) => {
    expect((types.get(typeNameOf(term)) ?? []).length).toBeLessThan(2);
  });

  it('is often the name of an exported type', () => {
    expect(terms.filter((term) => types.has(typeNameOf(term))).length).toBeGreaterThan(20);
  });
});

describe('the name of an exported type', () => {
  it('is exported by only one file', () => {
    // A construct of the template may have the name of what it deploys.
    const types = exportedTypes(['functions', 'operator', 'shared']);

    expect([...types].filter(([, files]) => files.length > 1)).toEqual([]);
  });
});
