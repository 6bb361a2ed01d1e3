export type Matches = (message: string) => boolean;

const comparison = /^\$((?:\.\w+)+)\s*(!=|=|>=|<=|>|<)\s*(?:"([^"]*)"|(-?\d+(?:\.\d+)?))$/;

const operators: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};

/**
 * Compiles a filter pattern of the form `{ $.a.b = "text" && $.c > 3 }`, or the empty pattern (CloudWatch Logs, "Filter
 * pattern syntax"). Throws on any other pattern.
 */
export const compilePattern = (pattern: string): Matches => {
  const trimmed = pattern.trim();
  if (trimmed === '') return () => true;
  const [, body] = /^\{(.*)\}$/s.exec(trimmed) ?? [];
  if (body === undefined) throw new Error(`the local runtime does not support the filter pattern ${pattern}`);
  const parts = body.split('&&').map((part) => {
    const unwrapped = part.trim().replace(/^\((.*)\)$/s, '$1');
    const [, path, operator, text, number] = comparison.exec(unwrapped.trim()) ?? [];
    if (path === undefined || operator === undefined) {
      throw new Error(`the local runtime does not support ${part.trim()} in the filter pattern ${pattern}`);
    }
    return { keys: path.split('.').slice(1), operator, text, number };
  });
  return (message) => {
    const event = parsedEvent(message);
    return parts.every(({ keys, operator, text, number }) => {
      const value = valueAt(event, keys);
      const compare = operators[operator];
      if (compare) return typeof value === 'number' && compare(value, Number(number ?? text));
      const isEqual = number === undefined ? value === text : value === Number(number);
      // A missing field matches no comparison, not even "!=".
      return value !== undefined && isEqual === (operator === '=');
    });
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
