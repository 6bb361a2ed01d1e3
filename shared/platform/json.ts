/**
 * Keys that give access to an object's prototype in JavaScript. Merging data that contains these keys would change the
 * prototype.
 */
export const reservedKeys = ['__proto__', 'constructor', 'prototype'];

class InexactInteger {}

const isInexact = (value: unknown, source: string): boolean =>
  typeof value === 'number' &&
  /^-?\d+$/.test(source) &&
  Number.isFinite(value) &&
  BigInt(source) !== BigInt(value);

/** `JSON.parse` gives a reviver the source text of each value (ECMAScript, "JSON.parse source text access"). */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

const withMarks: Reviver = (_key, value, { source }) =>
  isInexact(value, source) ? new InexactInteger() : value;

const pathOfMark = (value: unknown): string[] | undefined => {
  if (value instanceof InexactInteger) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = pathOfMark(inner);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
};

/** `path` names the integer that a double cannot hold exactly, such as `user_data.n`. */
export class InexactIntegerError extends Error {
  readonly path: string;

  constructor({ path }: { readonly path: string }) {
    super(`${path} is an integer that cannot be stored exactly; send it as a string`);
    this.path = path;
  }
}

/**
 * Parses JSON and refuses integers that a double cannot hold exactly.
 * @throws InexactIntegerError; SyntaxError or RangeError for text that is not JSON or is nested too deeply.
 */
export const parseExactJson = (text: string): unknown => {
  // Integers of up to fifteen digits are always exact, so most bodies need no check.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const parsed: unknown = JSON.parse(text, withMarks as Parameters<typeof JSON.parse>[1]);
  const path = pathOfMark(parsed);
  if (path !== undefined) throw new InexactIntegerError({ path: path.join('.') });
  return parsed;
};
