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

/** Senses for which the code has another word, so that each word has one sense. */
const otherSenses: readonly { readonly sense: string; readonly pattern: RegExp; readonly word: string }[] = [
  {
    sense: 'a claim of an idempotency key',
    pattern:
      /\b(?:interface|type) (?:Held)?Claims?\b|\bclaim\w* (?:on |of |to )?(?:the|an?|its|their|this|that) (?:idempotency )?key\b/i,
    word: 'a hold: one takes and releases a key',
  },
  {
    sense: 'a replay of an idempotency key',
    pattern: /\b(?:onReplayed|isReplayed|answerReplayable|replayedHeaders)\b|outcome(?:: | === )'replayed'/,
    word: 'a repeated request: it is answered with the earlier result',
  },
  {
    sense: 'a setting of stored attributes',
    pattern: /\bconst setting = \(|\{ setting \}/,
    word: 'an update of attributes',
  },
  {
    sense: 'a stand-in for a service',
    pattern: /\b(?:stand-ins? for|local stand-ins?)\b|\b(?:interface|type) StandIn\b/i,
    word: 'a fake',
  },
  {
    sense: 'a walk through notifications',
    pattern: /^shared\/notifications\/.*\bwalk/i,
    word: 'a look: a walk leads through the product',
  },
  {
    sense: 'settling something other than what a restore found pending',
    pattern:
      /\b(?:settleAbandoned|settledAfter|settledMilliseconds|expectSettledSigner|unsettled)\b|world\.settle\(/,
    word: 'clearing abandoned places, the time within which outcomes come, waiting until all is final, coming to rest',
  },
  {
    sense: 'a lease of nothing in particular',
    pattern: /\bleaseMilliseconds\b/,
    word: 'the name of what is leased, as in `requestLeaseMilliseconds`',
  },
];

/** The lines of the project's texts and code, each after its place. */
const linesOf = (folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          /\.(?:ts|md)$/.test(path) && !path.includes('node_modules') && !path.endsWith('glossary.test.ts'),
      )
      .flatMap((path) =>
        readFileSync(new URL(`${folder}/${path}`, root), 'utf8')
          .split('\n')
          .map((line, index) => `${folder}/${path}:${index + 1}: ${line}`),
      ),
  );

describe('a word with one sense', () => {
  const lines = linesOf(['docs', 'functions', 'lib', 'local', 'operator', 'shared', 'test', 'tools']);

  it.each(otherSenses)('does not mean $sense, which is called $word', ({ pattern }) => {
    expect(lines.filter((line) => pattern.test(line))).toEqual([]);
  });
});

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
