import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type ts from '../../../packages/client/node_modules/typescript/lib/typescript.js';

/** TypeScript 7 cannot be used as a library, so the client's generators bring TypeScript 5. */
const typescript: typeof ts = createRequire(
  new URL('../../../packages/client/package.json', import.meta.url),
)('typescript');

const root = join(import.meta.dirname, '../../..');
const shared = join(root, 'shared');

/** A constant on the top level of a file. */
interface Constant {
  readonly file: string;
  readonly name: string;
  readonly value: ts.Expression;
}

interface Module {
  readonly constants: ReadonlyMap<string, Constant>;
  /** The file and the name of each import of the project's own, by its name in this module. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>;
}

const modules = new Map<string, Module>();

const moduleOf = (file: string): Module => {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const source = typescript.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    typescript.ScriptTarget.Latest,
    true,
  );
  const constants = new Map<string, Constant>();
  const imports = new Map<string, readonly [string, string]>();
  for (const statement of source.statements) {
    if (typescript.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !typescript.isIdentifier(name)) continue;
        constants.set(name.text, { file, name: name.text, value: initializer });
      }
    }
    if (!typescript.isImportDeclaration(statement)) continue;
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    const bindings = statement.importClause?.namedBindings;
    const path = join(dirname(file), from);
    if (bindings === undefined || !typescript.isNamedImports(bindings) || !existsSync(path)) continue;
    for (const { name, propertyName } of bindings.elements) {
      imports.set(name.text, [path, (propertyName ?? name).text]);
    }
  }
  const found = { constants, imports };
  modules.set(file, found);
  return found;
};

const usesZod = ({ value }: Constant): boolean => /\bz\s*\./.test(value.getText());
const isFunction = ({ value }: Constant): boolean => typescript.isArrowFunction(value);

/** The methods whose argument lists attributes. Other objects in a schema are messages, defaults and the like. */
const listing = new Set(['object', 'strictObject', 'looseObject', 'extend', 'safeExtend']);

interface Walk {
  readonly onAttribute: (path: readonly string[]) => void;
  readonly onReference: (name: string) => void;
}

const walk = (node: ts.Node, path: readonly string[], on: Walk): void => {
  // What a schema does with a value names no attributes.
  if (typescript.isArrowFunction(node)) return;
  if (typescript.isPropertyAssignment(node)) {
    const own = [...path, node.name.getText().replaceAll(/^['"]|['"]$/g, '')];
    on.onAttribute(own);
    walk(node.initializer, own, on);
    return;
  }
  if (typescript.isShorthandPropertyAssignment(node)) {
    on.onAttribute([...path, node.name.text]);
    on.onReference(node.name.text);
    return;
  }
  if (typescript.isCallExpression(node)) {
    const called = node.expression;
    walk(called, path, on);
    const isListing = typescript.isPropertyAccessExpression(called) && listing.has(called.name.text);
    for (const argument of node.arguments) {
      if (isListing || !typescript.isObjectLiteralExpression(argument)) walk(argument, path, on);
    }
    return;
  }
  if (typescript.isPropertyAccessExpression(node)) {
    walk(node.expression, path, on);
    return;
  }
  if (typescript.isIdentifier(node)) on.onReference(node.text);
  typescript.forEachChild(node, (child) => walk(child, path, on));
};

const nameOf = ({ file, name }: Constant): string =>
  `${relative(shared, file).replaceAll('\\', '/').replace(/\.ts$/, '')} ${name}`;

/** A record of a stream has the item in an envelope, and in DynamoDB's own form of JSON. */
const inItem = (attribute: string): readonly string[] => {
  const names = attribute
    .split('.')
    .filter((name) => !/^(S|N|BOOL|dynamodb|Keys|(New|Old)Image)$/.test(name));
  const isEnvelopes = /^(eventName|ApproximateCreationDateTime)$/.test(names[0] ?? '');
  return names.length === 0 || isEnvelopes ? [] : [names.join('.')];
};

/**
 * The attributes of all schemas with which the adapters of the database read and write items, by file and schema. The
 * schemas that they use of other files are among them. An attribute of an object within another has both names.
 */
export const storedSchemas = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  const visit = (constant: Constant): void => {
    const name = nameOf(constant);
    if (found.has(name) || !usesZod(constant)) return;
    const attributes: string[] = [];
    found.set(name, attributes);
    const { value } = constant;
    // A function on which a schema calls may make a part of it.
    walk(typescript.isArrowFunction(value) ? value.body : value, [], {
      onAttribute: (path) => attributes.push(path.join('.')),
      onReference: (reference) => {
        const { constants, imports } = moduleOf(constant.file);
        const own = constants.get(reference);
        if (own !== undefined) return visit(own);
        const [file, imported] = imports.get(reference) ?? [];
        const other = file && imported ? moduleOf(file).constants.get(imported) : undefined;
        if (other !== undefined) visit(other);
      },
    });
  };
  const adapters = globSync('*/store/**/*.ts', { cwd: shared }).toSorted();
  for (const adapter of adapters) {
    const { constants, imports } = moduleOf(join(shared, adapter));
    const imported = [...imports.values()].map(([file, name]) => moduleOf(file).constants.get(name));
    for (const constant of [...constants.values(), ...imported]) {
      if (constant !== undefined && !isFunction(constant)) visit(constant);
    }
  }
  const ofItems = [...found].map(([name, attributes]) => [name, attributes.flatMap(inItem)] as const);
  return new Map(ofItems.filter(([, attributes]) => attributes.length > 0));
};
