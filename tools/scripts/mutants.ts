/**
 * Makes small mistakes in the modules in which mistakes would be worst, one at a time, and lists the mistakes that no
 * test notices. Such a mistake either changes nothing, or a test for it is missing. `mutants.ts SEED COUNT [MODULE…]`
 * tries COUNT mistakes in each module; the same seed draws the same mistakes.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from '../../packages/client/node_modules/typescript/lib/typescript.js';
import { copyProject } from '../../test/support/platform/project-copy.ts';
import { seededRandom } from '../../test/support/platform/seeded-random.ts';

// TypeScript 7 has no stable API yet. The client's own TypeScript has one.
const typescript: typeof ts = createRequire(new URL('../../packages/client/package.json', import.meta.url))(
  'typescript',
);

/** Lists of arguments of Node. The cheapest come first, because the first that fails is the last that runs. */
type Tests = readonly (readonly string[])[];

const vitest = (...files: readonly string[]): readonly string[] => [
  'node_modules/vitest/vitest.mjs',
  ...['run', '--bail=1', '--silent=true', ...files],
];
const worlds = (part: string, count: number): readonly string[] => [
  '--max-semi-space-size=64',
  ...['test/simulation/command.ts', '--part', part, '--worlds', String(count)],
];

interface Module {
  readonly files: readonly string[];
  readonly tests: Tests;
}

const nftUnits = vitest('test/unit/nft');
const modules: Readonly<Record<string, Module>> = {
  mint: {
    files: ['mint', 'steps', 'admit', 'supply'].map((name) => `shared/nft/submit/${name}.ts`),
    tests: [
      worlds('money', 40),
      nftUnits,
      vitest(
        ...['submit', 'calls', 'batches', 'supply', 'crashes'].map(
          (name) => `test/integration/nft/${name}.test.ts`,
        ),
      ),
    ],
  },
  record: {
    files: ['shared/nft/submit/record-transaction.ts'],
    tests: [
      worlds('money', 40),
      worlds('reservations', 40),
      nftUnits,
      vitest(
        ...['submit', 'crashes', 'database-faults', 'supply', 'claims'].map(
          (name) => `test/integration/nft/${name}.test.ts`,
        ),
      ),
    ],
  },
  waiter: {
    files: ['broadcast', 'finalize', 'pass', 'proof', 'receipt-verdict', 'replace', 'round', 'supersede'].map(
      (name) => `shared/nft/waiter/${name}.ts`,
    ),
    tests: [
      worlds('money', 40),
      nftUnits,
      vitest(
        ...[
          ...['submit', 'chain', 'crashes', 'updates', 'untrue-endpoints', 'rising-fees', 'taken-back'],
          ...['hidden-transactions', 'unanswered-questions'],
        ].map((name) => `test/integration/nft/${name}.test.ts`),
      ),
    ],
  },
  restored: {
    files: [
      ...['finish-restore', 'give-outcomes', 'reopen'].map((name) => `shared/nft/restored/${name}.ts`),
      'shared/nft/waiter/pass-state.ts',
    ],
    tests: [worlds('restores', 40), nftUnits, vitest('test/integration/nft/restore.test.ts')],
  },
  decision: {
    files: ['shared/ott/decision.ts', 'shared/ott/decision-steps.ts'],
    tests: [
      vitest(
        ...['calls', 'list', 'geolocation', 'later-data', 'operator'].map((name) => `test/unit/ott/${name}`),
      ),
      vitest('test/integration/ott/last-known-good.test.ts'),
      vitest('test/unit/ott/decision-table.test.ts'),
      worlds('catalogue', 40),
      vitest('test/integration/ott/scheduled-match.test.ts'),
    ],
  },
  sessions: {
    files: ['hold-slot', 'stream-sessions', 'viewer-sessions'].map(
      (name) => `shared/ott/sessions/${name}.ts`,
    ),
    tests: [
      vitest(
        ...['viewer-sessions', 'hold-slot', 'stream-sessions'].map((name) => `test/unit/ott/${name}.test.ts`),
      ),
      worlds('sessions', 100),
      vitest('test/integration/ott/sessions.test.ts'),
    ],
  },
  wallets: {
    files: [
      'create-challenge',
      'link-wallet',
      'open-wallets',
      'unlink-wallets',
      'registration',
      'signature',
    ].map((name) => `shared/wallets/${name}.ts`),
    tests: [vitest('test/unit/wallets'), worlds('wallets', 200), vitest('test/integration/wallets')],
  },
  publisher: {
    files: ['shared/notifications/publish/publish-changes.ts'],
    tests: [vitest('test/unit/notifications/publish-changes.test.ts'), worlds('notifications', 60)],
  },
  submit: {
    files: [
      'shared/nft/transactions/signer-funds.ts',
      ...['deploy', 'give-back', 'idempotency', 'update', 'write-patiently'].map(
        (name) => `shared/nft/submit/${name}.ts`,
      ),
    ],
    tests: [
      worlds('money', 40),
      worlds('reservations', 40),
      nftUnits,
      vitest(
        ...[
          'submit',
          'calls',
          'updates',
          'daily-limit',
          'revocations',
          'reservations',
          'claims',
          'crashes',
        ].map((name) => `test/integration/nft/${name}.test.ts`),
      ),
    ],
  },
};

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const operators: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '/', '/': '*' },
};

/** The texts by which a node can be replaced. Types are not replaced, because they do not run. */
const replacementsOf = (node: ts.Node): string[] => {
  const text = node.getText();
  if (typescript.isBinaryExpression(node)) {
    const [left, operator, right] = [node.left, node.operatorToken, node.right].map((each) => each.getText());
    if (operator === '??') return [`(${left})`];
    const other = operators[operator ?? ''];
    return other === undefined ? [] : [`(${left}) ${other} (${right})`];
  }
  if (typescript.isNumericLiteral(node)) return [`(${text} + 1)`];
  if (typescript.isBigIntLiteral(node)) return [`(${text} + 1n)`];
  if (text === 'true') return ['false'];
  if (text === 'false') return ['true'];
  if (typescript.isAwaitExpression(node)) return [`(${node.expression.getText()})`];
  if (typescript.isExpressionStatement(node)) return [';'];
  if (typescript.isReturnStatement(node) && node.expression !== undefined)
    return ['return undefined as never;'];
  if (typescript.isPrefixUnaryExpression(node) && text.startsWith('!'))
    return [`(${node.operand.getText()})`];
  if (typescript.isSpreadAssignment(node) || typescript.isSpreadElement(node)) return ['...[]'];
  return [];
};

const mutantsOf = (file: string): Mutant[] => {
  const source = typescript.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    typescript.ScriptTarget.Latest,
    true,
  );
  const found: Mutant[] = [];
  const add = (node: ts.Node, text: string): void => {
    const start = node.getStart();
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({ file, line: line + 1, start, end: node.getEnd(), text });
  };
  const visit = (node: ts.Node): void => {
    if (typescript.isTypeNode(node) || typescript.isImportDeclaration(node)) return;
    for (const text of replacementsOf(node)) add(node, text);
    if (typescript.isIfStatement(node)) add(node.expression, `!(${node.expression.getText()})`);
    if (typescript.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText()})`);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
};

const minutesAtMost = 5;
const copy = copyProject();
const pass = (parameters: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const limits = { cwd: copy.root, timeout: minutesAtMost * 60_000, maxBuffer: 1e9 };
    execFile(process.execPath, parameters, limits, (error) => resolve(error === null));
  });

/** The first of the tests that notices the mutant. */
const killerOf = async ({ file, start, end, text }: Mutant, tests: Tests): Promise<string | undefined> => {
  const path = join(copy.root, file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.slice(0, start) + text + before.slice(end));
  try {
    for (const parameters of tests) if (!(await pass(parameters))) return parameters.slice(0, 6).join(' ');
    return undefined;
  } finally {
    writeFileSync(path, before);
  }
};

const [seed = '1', count = '25', ...names] = process.argv.slice(2);
const random = seededRandom(Number(seed));
try {
  for (const [name, { files, tests }] of Object.entries(modules)) {
    const left = files.flatMap(mutantsOf);
    const of = left.length;
    const drawn = Array.from({ length: Math.min(Number(count), of) }, () =>
      left.splice(Math.floor(random() * left.length), 1),
    ).flat();
    if (names.length > 0 && !names.includes(name)) continue;
    // Otherwise, tests that fail anyway would seem to notice everything.
    for (const parameters of tests) {
      if (!(await pass(parameters))) throw new Error(`Fails without a mutant: ${parameters.join(' ')}`);
    }
    let survived = 0;
    for (const mutant of drawn) {
      const killer = await killerOf(mutant, tests);
      if (killer === undefined) survived += 1;
      const original = readFileSync(mutant.file, 'utf8').slice(mutant.start, mutant.end);
      const place = `${mutant.file}:${mutant.line}`;
      console.log(`${killer === undefined ? 'SURVIVED' : 'killed'} ${place} ${original} → ${mutant.text}`);
      if (killer !== undefined) console.log(`    by ${killer}`);
    }
    console.log(`# ${name}: ${drawn.length - survived} of ${drawn.length} killed (of ${of} possible)`);
  }
} finally {
  copy.remove();
}
