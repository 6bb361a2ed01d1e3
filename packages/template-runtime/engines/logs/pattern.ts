export type Matches = (message: string) => boolean;

const comparison = /^\$((?:\.\w+)+)\s*(!=|=|>=|<=|>|<)\s*(?:"([^"]*)"|(-?\d+(?:\.\d+)?))$/;
const absence = /^\$((?:\.\w+)+)\s+NOT EXISTS$/;

const operators: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};

const keysOf = (path: string): readonly string[] => path.split('.').slice(1);

/** A part of a pattern, applied to the parsed message. */
const compilePart = (part: string, pattern: string): ((event: unknown) => boolean) => {
  const unwrapped = part
    .trim()
    .replace(/^\((.*)\)$/s, '$1')
    .trim();
  const [, missing] = absence.exec(unwrapped) ?? [];
  if (missing !== undefined) return (event) => valueAt(event, keysOf(missing)) === undefined;
  const [, path, operator, text, number] = comparison.exec(unwrapped) ?? [];
  if (path === undefined || operator === undefined) {
    throw new Error(`the local runtime does not support ${part.trim()} in the filter pattern ${pattern}`);
  }
  const compare = operators[operator];
  return (event) => {
    const value = valueAt(event, keysOf(path));
    if (compare) return typeof value === 'number' && compare(value, Number(number ?? text));
    const isEqual = number === undefined ? value === text : value === Number(number);
    // A missing field matches no comparison, not even "!=".
    return value !== undefined && isEqual === (operator === '=');
  };
};

/**
 * Compiles a filter pattern of the form `{ $.a.b = "text" && $.c > 3 || $.d NOT EXISTS }`, or the empty pattern
 * (CloudWatch Logs, "Filter pattern syntax"). Parentheses may only surround a single comparison. Throws on any other
 * pattern.
 */
export const compilePattern = (pattern: string): Matches => {
  const trimmed = pattern.trim();
  if (trimmed === '') return () => true;
  const [, body] = /^\{(.*)\}$/s.exec(trimmed) ?? [];
  if (body === undefined) throw new Error(`the local runtime does not support the filter pattern ${pattern}`);
  const alternatives = body
    .split('||')
    .map((alternative) => alternative.split('&&').map((part) => compilePart(part, pattern)));
  return (message) => {
    const event = parsedEvent(message);
    // A JSON pattern matches no text that is not JSON.
    if (event === undefined) return false;
    return alternatives.some((parts) => parts.every((matches) => matches(event)));
  };
};

export const parsedEvent = (message: string): unknown => {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
};

export const valueAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : undefined,
    value,
  );
