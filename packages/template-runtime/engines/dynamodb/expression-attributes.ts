/** Words with a meaning in expressions. An attribute with such a name appears as a placeholder, such as `#size`. */
const words = new Set([
  'add',
  'and',
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'between',
  'contains',
  'delete',
  'if_not_exists',
  'in',
  'list_append',
  'not',
  'or',
  'remove',
  'set',
  'size',
]);

/** The names of the item's top-level attributes in an expression. Leaves out names of nested attributes. */
export const attributesIn = (expression: string, substitutes: Readonly<Record<string, string>>): string[] =>
  [...expression.matchAll(/(?<![.:#\w])(?:#\w+|[A-Za-z_]\w*)/g)]
    .map(([name]) => name)
    .filter((name) => !words.has(name.toLowerCase()))
    .map((name) => substitutes[name] ?? name);
