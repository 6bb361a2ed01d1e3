import { isExact } from './decimals.ts';

/**
 * Keys that give access to an object's prototype in JavaScript. Merging data that contains these keys would change the
 * prototype.
 */
export const reservedKeys = ['__proto__', 'constructor', 'prototype'];

/**
 * How deep user data may be nested, and how deep in other JSON texts are judged. The limit is far above what real data
 * needs. Much deeper JSON would overflow the stack of programs that print it.
 */
export const maximumDepth = 32;

/** Stands for a number of a JSON text that a double cannot hold exactly. */
class Inexact {
  readonly isInteger: boolean;

  constructor(isInteger: boolean) {
    this.isInteger = isInteger;
  }
}

const isInexactInteger = (value: number, source: string): boolean =>
  /^-?\d+$/.test(source) && Number.isFinite(value) && BigInt(source) !== BigInt(value);

/** `JSON.parse` gives a reviver the source text of each value (ECMAScript, "JSON.parse source text access"). */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

const withMarks: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number') return value;
  if (isInexactInteger(value, source)) return new Inexact(true);
  return isExact(value, source) ? value : new Inexact(false);
};

type Path = readonly (string | number)[];

interface Found {
  readonly path: Path;
  readonly isInteger: boolean;
}

/** The first mark that is refused. `undefined` if there is none. */
const findRefused = (value: unknown, isRefused: (mark: Inexact) => boolean): Found | undefined => {
  if (value instanceof Inexact) {
    return isRefused(value) ? { path: [], isInteger: value.isInteger } : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = findRefused(inner, isRefused);
    if (found !== undefined) return within(value, key, found);
  }
  return undefined;
};

const within = (outer: object, key: string, { path, isInteger }: Found): Found => ({
  path: [Array.isArray(outer) ? Number(key) : key, ...path],
  isInteger,
});

/** `path` names the number that a double cannot hold exactly, such as `user_data.n`. */
export class InexactNumberError extends Error {
  readonly path: Path;
  readonly isInteger: boolean;

  constructor({ path, isInteger }: { readonly path: Path; readonly isInteger: boolean }) {
    const what = isInteger ? 'an integer' : 'a number';
    super(`${path.join('.')} is ${what} that cannot be stored exactly; send it as a string`);
    this.path = path;
    this.isInteger = isInteger;
  }
}

/**
 * Numbers of up to fifteen digits without an exponent are always exact. So most texts need no check of their numbers.
 */
const mayBeInexact = /[\d.]{16}|\d[eE][+-]?\d/;

/**
 * Parses JSON and refuses integers that a double cannot hold exactly. Refuses other such numbers too, but not within the
 * fields at the top that `rounded` names.
 * @throws InexactNumberError; SyntaxError or RangeError for text that is not JSON or is nested too deeply.
 */
export const parseExactJson = (
  text: string,
  { rounded = 'all' }: { readonly rounded?: readonly string[] | 'all' } = {},
): unknown => {
  if (!mayBeInexact.test(text)) return JSON.parse(text);
  const marked: unknown = JSON.parse(text, withMarks as Parameters<typeof JSON.parse>[1]);
  const isRounded = (field: string): boolean => rounded === 'all' || rounded.includes(field);
  // The text itself may be a number, which then is the value of a field without a name.
  const whole = { '': marked };
  const fields =
    typeof marked === 'object' && marked !== null && !(marked instanceof Inexact) ? marked : whole;
  for (const [field, value] of Object.entries(fields)) {
    const found = findRefused(value, ({ isInteger }) => isInteger || !isRounded(field));
    if (found === undefined) continue;
    throw new InexactNumberError(fields === whole ? found : within(fields, field, found));
  }
  return JSON.parse(text);
};

export const withoutNulls = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
