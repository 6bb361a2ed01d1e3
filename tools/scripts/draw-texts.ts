/**
 * Draws titles of tests and comments of the code for a reader who has never seen either. A text that this reader does
 * not understand at once should be rewritten. `draw-texts.ts SEED [COUNT]` draws the same ones each time.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type ts from '../../packages/client/node_modules/typescript/lib/typescript.js';
import { seededRandom } from '../../test/support/platform/seeded-random.ts';

// TypeScript 7 has no stable API yet. The client's own TypeScript has one.
const typescript: typeof ts = createRequire(new URL('../../packages/client/package.json', import.meta.url))(
  'typescript',
);

interface Text {
  readonly file: string;
  readonly text: string;
}

const [seed = '1', count = '60'] = process.argv.slice(2);
const random = seededRandom(Number(seed));

const filesIn = (...patterns: readonly string[]): string[] =>
  globSync(patterns, {
    exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/last-release.d.ts'],
  }).toSorted();

const sourceOf = (file: string) =>
  typescript.createSourceFile(file, readFileSync(file, 'utf8'), typescript.ScriptTarget.Latest, true);

/** The name of the function that a call calls: `it` for `it(…)`, `it.skip(…)` and `it.each(…)(…)`. */
const calledName = (expression: ts.Expression): string | undefined => {
  if (typescript.isIdentifier(expression)) return expression.text;
  if (typescript.isPropertyAccessExpression(expression) || typescript.isCallExpression(expression)) {
    return calledName(expression.expression);
  }
  return undefined;
};

/** The values of the first case of `it.each(…)` or `describe.each(…)`, by their place or name. */
const firstCase = (expression: ts.Expression): ReadonlyMap<string, string> => {
  const rows = typescript.isCallExpression(expression) ? expression.arguments[0] : undefined;
  const row = rows !== undefined && typescript.isArrayLiteralExpression(rows) ? rows.elements[0] : undefined;
  if (row === undefined) return new Map();
  const shown = (node: ts.Node): string =>
    typescript.isStringLiteralLike(node) ? node.text : node.getText().replaceAll(/\s+/g, ' ').slice(0, 60);
  if (typescript.isObjectLiteralExpression(row)) {
    return new Map(
      row.properties
        .filter(typescript.isPropertyAssignment)
        .map((property) => [property.name.getText(), shown(property.initializer)]),
    );
  }
  const values = typescript.isArrayLiteralExpression(row) ? [...row.elements] : [row];
  return new Map(values.map((value, index) => [String(index), shown(value)]));
};

/** A title as a report shows it for the first case. */
const filled = (title: string, values: ReadonlyMap<string, string>): string => {
  let place = 0;
  return title
    .replaceAll(/%[.\d]*[sdijo]/g, (sign) => values.get(String(place++)) ?? sign)
    .replaceAll(/\$(\w+)/g, (sign, name) => values.get(name) ?? sign);
};

/** The titles of a file's tests. Each begins with those of the blocks around it, as a report shows it. */
const titlesOf = (file: string): Text[] => {
  const found: Text[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const name = typescript.isCallExpression(node) ? calledName(node.expression) : undefined;
    const title = typescript.isCallExpression(node) ? node.arguments[0] : undefined;
    const isTitle =
      title !== undefined &&
      (typescript.isStringLiteralLike(title) || typescript.isTemplateExpression(title)) &&
      (name === 'it' || name === 'describe');
    const path =
      isTitle && typescript.isCallExpression(node)
        ? [...around, filled(title.getText().slice(1, -1), firstCase(node.expression))]
        : around;
    if (isTitle && name === 'it') found.push({ file, text: path.join(' › ') });
    node.forEachChild((child) => visit(child, path));
  };
  visit(sourceOf(file), []);
  return found;
};

/** The comments of a file. Lines that follow each other are one comment. */
const commentsOf = (file: string): Text[] => {
  const source = sourceOf(file);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of typescript.getLeadingCommentRanges(source.text, node.pos) ?? []) {
      ranges.set(range.pos, range);
    }
    node.forEachChild(visit);
  };
  visit(source);
  const comments: Text[] = [];
  let end = -1;
  for (const { pos, end: to } of [...ranges.values()].toSorted((one, other) => one.pos - other.pos)) {
    const text = source.text
      .slice(pos, to)
      .replaceAll(/^\/\*\*?|\*\/$|^\s*(?:\*(?!\/)|\/\/) ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const last = comments.at(-1);
    const goesOn = last !== undefined && end >= 0 && source.text.slice(end, pos).trim() === '';
    if (goesOn) comments[comments.length - 1] = { file, text: `${last.text} ${text}` };
    else comments.push({ file, text });
    end = to;
  }
  return comments.filter(({ text }) => !text.startsWith('biome-ignore'));
};

const draw = (all: readonly Text[]): Text[] => {
  const left = [...all];
  return Array.from({ length: Math.min(Number(count), left.length) }, () => {
    const [drawn] = left.splice(Math.floor(random() * left.length), 1);
    return drawn as Text;
  });
};

const titles = filesIn('test/**/*.test.ts', 'packages/*/test/**/*.test.ts').flatMap(titlesOf);
const comments = filesIn(
  '{bin,config,functions,lib,local,operator,shared,tools}/**/*.ts',
  'packages/*/**/*.ts',
  'test/**/*.ts',
).flatMap(commentsOf);
for (const [heading, all] of [
  ['titles', titles],
  ['comments', comments],
] as const) {
  console.log(`# ${heading} (of ${all.length})`);
  for (const [index, { file, text }] of draw(all).entries()) {
    console.log(`${index + 1}. ${text}\n   ${file}`);
  }
}
