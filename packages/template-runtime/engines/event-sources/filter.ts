export type Filter = (record: unknown) => boolean;

/**
 * Compiles the patterns of `FilterCriteria`. A record passes when one of the patterns matches. Throws on an unknown
 * comparison.
 */
export const compileFilters = (patterns: readonly unknown[]): Filter => {
  const filters = patterns.map((pattern) => compile(pattern));
  return filters.length === 0 ? () => true : (record) => filters.some((filter) => filter(record));
};

const compile = (pattern: unknown): Filter => {
  if (!isObject(pattern)) throw new Error(`${JSON.stringify(pattern)} is not an event pattern`);
  const parts = Object.entries(pattern).map(([key, wanted]): Filter => {
    if (key === '$or') {
      if (!Array.isArray(wanted)) throw new Error('$or requires a list of patterns');
      return compileFilters(wanted);
    }
    const test = Array.isArray(wanted) ? anyOf(wanted) : compile(wanted);
    return (record) => test(isObject(record) ? record[key] : undefined);
  });
  return (record) => parts.every((part) => part(record));
};

const anyOf = (alternatives: readonly unknown[]): Filter => {
  const tests = alternatives.map(compare);
  return (value) => {
    const values = Array.isArray(value) ? value : [value];
    return tests.some((test) => values.some(test));
  };
};

const compare = (wanted: unknown): Filter => {
  if (!isObject(wanted)) return (value) => value === wanted;
  const [[operator, operand] = ['', undefined], ...others] = Object.entries(wanted);
  if (others.length > 0) throw new Error(`${JSON.stringify(wanted)} has more than one comparison`);
  const comparison = comparisons[operator];
  if (comparison === undefined)
    throw new Error(`the local runtime does not support the comparison ${operator}`);
  return comparison(operand);
};

const comparisons: Readonly<Record<string, (operand: unknown) => Filter>> = {
  exists: (operand) => (value) => (value !== undefined) === operand,
  prefix: (operand) => (value) => typeof value === 'string' && value.startsWith(String(operand)),
  suffix: (operand) => (value) => typeof value === 'string' && value.endsWith(String(operand)),
  'equals-ignore-case': (operand) => (value) =>
    typeof value === 'string' && value.toLowerCase() === String(operand).toLowerCase(),
  'anything-but': (operand) => {
    const excluded = Array.isArray(operand) ? operand.map(compare) : [compare(operand)];
    return (value) => value !== undefined && !excluded.some((test) => test(value));
  },
  numeric: (operand) => {
    if (!Array.isArray(operand) || operand.length % 2 === 1)
      throw new Error('numeric requires pairs of an operator and a number');
    const tests = Array.from({ length: operand.length / 2 }, (_, at) =>
      numericTest(String(operand[2 * at]), Number(operand[2 * at + 1])),
    );
    return (value) => typeof value === 'number' && tests.every((test) => test(value));
  },
};

const numericTest = (operator: string, bound: number): ((value: number) => boolean) => {
  switch (operator) {
    case '=':
      return (value) => value === bound;
    case '<':
      return (value) => value < bound;
    case '<=':
      return (value) => value <= bound;
    case '>':
      return (value) => value > bound;
    case '>=':
      return (value) => value >= bound;
    default:
      throw new Error(`the local runtime does not support the numeric operator ${operator}`);
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
