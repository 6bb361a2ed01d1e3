/**
 * Leaves out each condition of a write to the database, one at a time, and tells which simulated worlds or tests notice
 * it. A condition that nobody misses is needless, or a test for it is missing. `conditions.ts [TEXT]` tries the
 * conditions of the files with TEXT in their names.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from '../../packages/client/node_modules/typescript/lib/typescript.js';
import { copyProject } from '../../test/support/platform/project-copy.ts';

// TypeScript 7 has no stable API yet. The client's own TypeScript has one.
const typescript: typeof ts = createRequire(new URL('../../packages/client/package.json', import.meta.url))(
  'typescript',
);

/** Lists of arguments of Node. The cheapest come first, because the first that fails is the last that runs. */
type Tests = readonly (readonly string[])[];

const worlds = (part: string, count: number, from = 1): readonly string[] => [
  '--max-semi-space-size=64',
  ...['test/simulation/command.ts', '--part', part, '--from', String(from), '--worlds', String(count)],
];
const vitest = (...files: readonly string[]): readonly string[] => [
  'node_modules/vitest/vitest.mjs',
  ...['run', '--bail=1', '--silent=true', ...files],
];

const refusals = (area: string) => vitest(`test/unit/${area}/refused-writes.test.ts`);
const repeated = vitest('test/integration/platform/repeated-writes.test.ts');
/** The tests of the files whose names fit. The first row that fits counts. */
const testsOf: readonly (readonly [RegExp, Tests])[] = [
  [/\/restored-/, [vitest('test/unit/platform/refused-restores.test.ts')]],
  // World 1446 has a mint whose places were freed.
  [
    /^shared\/nft\//,
    [refusals('nft'), worlds('money', 60), worlds('money', 1, 1446), worlds('restores', 60)],
  ],
  [
    /^shared\/users\//,
    [
      refusals('platform'),
      worlds('notifications', 10),
      repeated,
      vitest('test/integration/users/application-user-subs.test.ts'),
    ],
  ],
  [/^shared\/wallets\//, [refusals('platform'), worlds('wallets', 100)]],
  [/^shared\/notifications\//, [refusals('notifications'), worlds('notifications', 150)]],
  [/^shared\/ott\//, [refusals('platform'), worlds('sessions', 10), worlds('catalogue', 30), repeated]],
  [/^shared\/platform\//, [refusals('platform'), repeated]],
];

interface Site {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Where a condition is given to a write. A helper that makes the conditions of several writes is one place. */
const sitesIn = (file: string): Site[] => {
  const source = typescript.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    typescript.ScriptTarget.Latest,
    true,
  );
  const found: Site[] = [];
  const visit = (node: ts.Node): void => {
    if (typescript.isPropertyAssignment(node) && node.name.getText() === 'ConditionExpression') {
      const { initializer } = node;
      const start = initializer.getStart();
      const { line } = source.getLineAndCharacterOfPosition(start);
      found.push({ file, line: line + 1, start, end: initializer.getEnd(), text: initializer.getText() });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
};

const minutesAtMost = 6;
const copy = copyProject();
const pass = (parameters: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const limits = { cwd: copy.root, timeout: minutesAtMost * 60_000, maxBuffer: 1e9 };
    execFile(process.execPath, parameters, limits, (error) => resolve(error === null));
  });

/**
 * Who misses the condition first. It still names its attributes and values: DynamoDB refuses values that are not used. Who
 * also fails with the condition, such as a test on a busy machine, does not miss it.
 */
const whoMisses = async ({ file, start, end, text }: Site, tests: Tests): Promise<string | undefined> => {
  const path = join(copy.root, file);
  const before = readFileSync(path, 'utf8');
  const always = `((condition: string) => \`(\${condition}) OR NOT (\${condition})\`)(${text})`;
  for (const parameters of tests) {
    writeFileSync(path, before.slice(0, start) + always + before.slice(end));
    const isMissed = !(await pass(parameters));
    writeFileSync(path, before);
    if (isMissed && (await pass(parameters))) {
      return parameters
        .filter((each) => !each.startsWith('-'))
        .slice(1)
        .join(' ');
    }
  }
  return undefined;
};

const [wanted = ''] = process.argv.slice(2);
try {
  const sites = globSync('shared/*/store/**/*.ts')
    .toSorted()
    .filter((file) => file.includes(wanted))
    .flatMap(sitesIn);
  for (const site of sites) {
    const { file, line, text } = site;
    const [, tests] = testsOf.find(([pattern]) => pattern.test(file)) ?? [];
    if (tests === undefined) throw new Error(`conditions.ts names no tests of ${file}`);
    const by = await whoMisses(site, tests);
    console.log(`${by === undefined ? 'NOBODY' : 'found'} ${file}:${line} ${text.replace(/\s+/g, ' ')}`);
    if (by !== undefined) console.log(`    by ${by}`);
  }
} finally {
  copy.remove();
}
