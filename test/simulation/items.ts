import type { Change, Item, Placeholders } from './expressions.ts';
import { InvalidExpression, valueAt } from './expressions.ts';

export const placeholdersOf = (input: {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
}): Placeholders => ({
  names: input.ExpressionAttributeNames,
  values: input.ExpressionAttributeValues,
});

/** A copy without undefined fields, as the document client sends it. Frozen, so that nobody changes what is stored. */
export const stored = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (value instanceof Set) return new Set(value);
  if (Array.isArray(value)) return Object.freeze(value.map(stored));
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const field = (value as Item)[name];
    if (field !== undefined) copy[name] = stored(field);
  }
  return Object.freeze(copy);
};

const withValue = (value: unknown, [name, ...rest]: readonly string[], change: (old: unknown) => unknown) => {
  if (name === undefined) return change(value);
  if (typeof value !== 'object' || value === null) {
    throw new InvalidExpression('The document path provided in the update expression is invalid for update');
  }
  const copy: Record<string, unknown> = { ...value };
  const changed: unknown = withValue(copy[name], rest, change);
  if (changed === undefined) delete copy[name];
  else copy[name] = changed;
  return copy;
};

const added = (old: unknown, value: unknown): unknown => {
  if (value instanceof Set) return new Set([...((old as Set<unknown> | undefined) ?? []), ...value]);
  if (typeof value !== 'number' || (old !== undefined && typeof old !== 'number')) {
    throw new InvalidExpression('ADD needs a number or a set');
  }
  return (old ?? 0) + value;
};

const without = (old: unknown, value: unknown): unknown => {
  if (!(value instanceof Set)) throw new InvalidExpression('DELETE needs a set');
  const left = [...((old as Set<unknown> | undefined) ?? [])].filter((each) => !value.has(each));
  return left.length === 0 ? undefined : new Set(left);
};

/** Returns an item after an update. Values in the update's expressions are read from the item before the update. */
export const updated = (before: Item, changes: readonly Change[], placeholders: Placeholders): Item => {
  let item: unknown = before;
  for (const change of changes) {
    const path = change.path(placeholders);
    const value = change.action === 'REMOVE' ? undefined : change.value(before, placeholders);
    item = withValue(item, path, (old) => {
      switch (change.action) {
        case 'SET':
          if (value === undefined) {
            throw new InvalidExpression(
              'The provided expression refers to an attribute that does not exist in the item',
            );
          }
          return value;
        case 'REMOVE':
          return undefined;
        case 'ADD':
          return added(old, value);
        case 'DELETE':
          return without(old, value);
      }
    });
  }
  return item as Item;
};

export const projected = (item: Item, expression: string | undefined, { names }: Placeholders): Item => {
  if (expression === undefined) return item;
  const wanted = expression
    .split(',')
    .map((part) => part.trim())
    .map((part) => names?.[part] ?? part);
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = valueAt(item, [name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};
