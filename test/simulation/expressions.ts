/**
 * Judges DynamoDB's expressions: conditions, key conditions, filters and updates (Developer Guide, *Using expressions in
 * DynamoDB*). Each text is compiled once. The place in a list is read as a name: `attempts[0]` as `attempts.0`.
 */

export type Item = Readonly<Record<string, unknown>>;

export interface Placeholders {
  readonly names?: Readonly<Record<string, string>> | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** The call is invalid, so DynamoDB refuses it, whatever is stored. */
export class InvalidExpression extends Error {
  override readonly name = 'ValidationException';
}

type Read = (item: Item, placeholders: Placeholders) => unknown;
type Test = (item: Item, placeholders: Placeholders) => boolean;
type Path = (placeholders: Placeholders) => readonly string[];

const tokenPattern = /\s*(<>|<=|>=|[=<>(),.+-]|[#:]\w+|[A-Za-z_]\w*|\d+|$)/y;

const tokensOf = (text: string): string[] => {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const token = tokenPattern.exec(text)?.[1];
    if (token === undefined) throw new InvalidExpression(`cannot read ${text}`);
    if (token !== '') tokens.push(token);
  }
  return tokens;
};

const kindOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) return 'S';
  if (Array.isArray(value)) return 'L';
  return value === null ? 'NULL' : typeof value;
};

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (kindOf(one) !== kindOf(other)) return false;
  if (one instanceof Set && other instanceof Set) {
    return one.size === other.size && [...one].every((each) => other.has(each));
  }
  const [a, b] = [Object.entries(one), Object.entries(other)];
  return a.length === b.length && a.every(([name, value]) => isSame(value, (other as Item)[name]));
};

const isOrdered = (one: unknown, other: unknown): one is number =>
  kindOf(one) === kindOf(other) && (typeof one === 'number' || typeof one === 'string');

/** A missing attribute is equal to nothing and in no order, but it is *unequal* to every value. */
const comparisons: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '=': (one, other) => one !== undefined && isSame(one, other),
  '<>': (one, other) => !isSame(one, other),
  '<': (one, other) => isOrdered(one, other) && one < (other as number),
  '<=': (one, other) => isOrdered(one, other) && one <= (other as number),
  '>': (one, other) => isOrdered(one, other) && one > (other as number),
  '>=': (one, other) => isOrdered(one, other) && one >= (other as number),
};

const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return value.size;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
};

const contains = (value: unknown, wanted: unknown): boolean => {
  if (value instanceof Set) return value.has(wanted);
  if (Array.isArray(value)) return value.some((each) => isSame(each, wanted));
  return typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted);
};

export const valueAt = (item: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Item)[name] : undefined),
    item,
  );

/** The parts of an expression, read from left to right. */
const reader = (text: string) => {
  const tokens = tokensOf(text);
  let next = 0;
  const isNext = (...wanted: readonly string[]): boolean =>
    wanted.includes((tokens[next] ?? '').toUpperCase());
  const take = (): string => {
    const token = tokens[next];
    if (token === undefined) throw new InvalidExpression(`${text} ends too early`);
    next += 1;
    return token;
  };
  const expect = (wanted: string): void => {
    if (take().toUpperCase() !== wanted) throw new InvalidExpression(`${text} lacks ${wanted}`);
  };
  const skip = (...wanted: readonly string[]): boolean => {
    if (!isNext(...wanted)) return false;
    next += 1;
    return true;
  };
  const listOf = <Each>(each: () => Each): Each[] => {
    const all = [each()];
    while (skip(',')) all.push(each());
    return all;
  };

  const nameOf = (token: string, { names }: Placeholders): string => {
    if (!token.startsWith('#')) return token;
    const name = names?.[token];
    if (name === undefined) throw new InvalidExpression(`${token} is not defined`);
    return name;
  };
  const path = (): Path => {
    const parts = [take()];
    while (skip('.')) parts.push(take());
    return (placeholders) => parts.map((part) => nameOf(part, placeholders));
  };
  const argument = (): Read => {
    const read = operand();
    if (isNext(',')) take();
    return read;
  };
  const functions: Readonly<Record<string, () => Read>> = {
    SIZE: () => {
      const of = argument();
      return (item, placeholders) => sizeOf(of(item, placeholders));
    },
    IF_NOT_EXISTS: () => {
      const [of, otherwise] = [argument(), argument()];
      return (item, placeholders) => of(item, placeholders) ?? otherwise(item, placeholders);
    },
    LIST_APPEND: () => {
      const [first, second] = [argument(), argument()];
      return (item, placeholders) => [
        ...(first(item, placeholders) as unknown[]),
        ...(second(item, placeholders) as unknown[]),
      ];
    },
  };
  function operand(): Read {
    if (isNext(...Object.keys(functions)) && tokens[next + 1] === '(') {
      const make = functions[take().toUpperCase()];
      expect('(');
      const read = make?.();
      expect(')');
      if (read !== undefined) return read;
    }
    if ((tokens[next] ?? '').startsWith(':')) {
      const token = take();
      return (_, { values }) => {
        if (values === undefined || !Object.hasOwn(values, token)) {
          throw new InvalidExpression(`${token} is not defined`);
        }
        return values[token];
      };
    }
    const at = path();
    return (item, placeholders) => valueAt(item, at(placeholders));
  }
  return { isNext, take, expect, skip, listOf, path, operand, hasMore: () => next < tokens.length };
};

const compileCondition = (text: string): Test => {
  const { isNext, take, expect, skip, listOf, operand, hasMore } = reader(text);
  const tests: Readonly<Record<string, () => Test>> = {
    ATTRIBUTE_EXISTS: () => {
      const read = operand();
      return (item, placeholders) => read(item, placeholders) !== undefined;
    },
    ATTRIBUTE_NOT_EXISTS: () => {
      const read = operand();
      return (item, placeholders) => read(item, placeholders) === undefined;
    },
    CONTAINS: () => {
      const [of, wanted] = listOf(operand);
      return (item, placeholders) => contains(of?.(item, placeholders), wanted?.(item, placeholders));
    },
    BEGINS_WITH: () => {
      const [of, wanted] = listOf(operand);
      return (item, placeholders) =>
        String(of?.(item, placeholders) ?? '').startsWith(String(wanted?.(item, placeholders)));
    },
  };
  const comparison = (): Test => {
    const left = operand();
    if (skip('BETWEEN')) {
      const low = operand();
      expect('AND');
      const high = operand();
      return (item, placeholders) => {
        const value = left(item, placeholders);
        return (
          (comparisons['>=']?.(value, low(item, placeholders)) ?? false) &&
          (comparisons['<=']?.(value, high(item, placeholders)) ?? false)
        );
      };
    }
    if (skip('IN')) {
      expect('(');
      const all = listOf(operand);
      expect(')');
      return (item, placeholders) =>
        all.some((each) => comparisons['=']?.(left(item, placeholders), each(item, placeholders)));
    }
    const compare = comparisons[take()];
    if (compare === undefined) throw new InvalidExpression(`${text} lacks a comparison`);
    const right = operand();
    return (item, placeholders) => compare(left(item, placeholders), right(item, placeholders));
  };
  const primary = (): Test => {
    if (skip('NOT')) {
      const test = primary();
      return (item, placeholders) => !test(item, placeholders);
    }
    if (skip('(')) {
      const test = either();
      expect(')');
      return test;
    }
    if (!isNext(...Object.keys(tests))) return comparison();
    const make = tests[take().toUpperCase()];
    expect('(');
    const test = make?.() ?? (() => false);
    expect(')');
    return test;
  };
  const joined = (word: string, each: () => Test, judge: 'every' | 'some'): Test => {
    const all = [each()];
    while (skip(word)) all.push(each());
    return (item, placeholders) => all[judge]((test) => test(item, placeholders));
  };
  const both = (): Test => joined('AND', primary, 'every');
  function either(): Test {
    return joined('OR', both, 'some');
  }
  const test = either();
  if (hasMore()) throw new InvalidExpression(`${text} has more than a condition`);
  return test;
};

const compiled = <Compiled>(compile: (text: string) => Compiled) => {
  const known = new Map<string, Compiled>();
  return (text: string): Compiled => {
    const hit = known.get(text) ?? compile(text.replaceAll(/\[(\d+)\]/g, '.$1'));
    known.set(text, hit);
    return hit;
  };
};

export const conditionOf = compiled(compileCondition);

export type Change =
  | { readonly action: 'SET' | 'ADD' | 'DELETE'; readonly path: Path; readonly value: Read }
  | { readonly action: 'REMOVE'; readonly path: Path };

const numberOf = (value: unknown): number => {
  if (value === undefined) throw new InvalidExpression('An attribute does not exist in the item');
  return Number(value);
};

const compileUpdate = (text: string): readonly Change[] => {
  const { take, expect, skip, listOf, path, operand, hasMore } = reader(text);
  const sum = (): Read => {
    const first = operand();
    const sign = skip('+') ? 1 : skip('-') ? -1 : 0;
    if (sign === 0) return first;
    const second = operand();
    return (item, all) => numberOf(first(item, all)) + sign * numberOf(second(item, all));
  };
  const changes: Change[] = [];
  while (hasMore()) {
    const action = take().toUpperCase();
    switch (action) {
      case 'SET':
        changes.push(
          ...listOf((): Change => {
            const at = path();
            expect('=');
            return { action, path: at, value: sum() };
          }),
        );
        break;
      case 'REMOVE':
        changes.push(...listOf((): Change => ({ action, path: path() })));
        break;
      case 'ADD':
      case 'DELETE':
        changes.push(...listOf((): Change => ({ action, path: path(), value: operand() })));
        break;
      default:
        throw new InvalidExpression(`${text} has the unknown clause ${action}`);
    }
  }
  return changes;
};

export const updateOf = compiled(compileUpdate);
