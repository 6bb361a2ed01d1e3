import { setTimeout } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';

/** One step of a chapter. `run` does one action, checks its result, and returns the text to show beside the title. */
export interface Step {
  readonly title: string;
  readonly run: () => Promise<string>;
}

export interface Chapter {
  readonly title: string;
  readonly steps: readonly Step[];
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { depth: 6, breakLength: 100, sorted: true });

export class UnexpectedError extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor({ expected, seen }: { readonly expected: unknown; readonly seen: unknown }) {
    super(`expected ${shown(expected)}, seen ${shown(seen)}`);
    this.name = 'UnexpectedError';
    this.expected = shown(expected);
    this.seen = shown(seen);
  }
}

/** @throws UnexpectedError when the two differ anywhere. */
export const expectSame = ({
  expected,
  seen,
}: {
  readonly expected: unknown;
  readonly seen: unknown;
}): void => {
  if (!isDeepStrictEqual(seen, expected)) throw new UnexpectedError({ expected, seen });
};

const pauseMilliseconds = 200;

/**
 * Calls `look` until it returns what is expected.
 *
 * @throws UnexpectedError with the last result when the time limit has passed.
 */
export const eventually = async <Seen>({
  look,
  isExpected,
  expected,
  withinSeconds,
  signal,
}: {
  readonly look: () => Seen | Promise<Seen>;
  readonly isExpected: (seen: Seen) => boolean;
  readonly expected: unknown;
  readonly withinSeconds: number;
  readonly signal: AbortSignal;
}): Promise<Seen> => {
  const deadline = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const seen = await look();
    if (isExpected(seen)) return seen;
    if (performance.now() > deadline) throw new UnexpectedError({ expected, seen });
    await setTimeout(pauseMilliseconds, undefined, { signal });
  }
};

/** A value that an earlier step sets and later steps use. */
export interface Later<Value> {
  set(value: Value): void;
  get(): Value;
}

export const later = <Value>(): Later<Value> => {
  const held: Value[] = [];
  return {
    set: (value) => {
      held[0] = value;
    },
    get: () => {
      const [value] = held;
      if (value === undefined) throw new Error('A step uses a value that no earlier step has set.');
      return value;
    },
  };
};
