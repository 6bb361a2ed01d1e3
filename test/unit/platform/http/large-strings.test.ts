import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { BadRequestError } from '../../../../shared/platform/errors.ts';
import type { Operation } from '../../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../../shared/platform/http/operation-function.ts';
import { operations } from '../../../../tools/openapi/operations.ts';
import { aContext, anApiEvent } from '../../../support/ott/api-event.ts';

type Path = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

const windows = 5;
const roundsInWindow = 16;
/** The longest string that fits into a body of 32 KB beside the operation's other fields. */
const length = 31_000;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The places of all strings that a schema allows. `definitions` are the schemas that it refers to. */
const stringsIn = (schema: unknown, definitions: Json, path: Path = []): Path[] => {
  if (!isObject(schema)) return [];
  const [, referred = ''] = /^#\/\$defs\/(.+)$/.exec(String(schema.$ref)) ?? [];
  if (referred !== '') return stringsIn(definitions[referred], definitions, path);
  const { type, anyOf = [], oneOf = [], allOf = [], properties = {}, items, propertyNames } = schema;
  const alternatives = [anyOf, oneOf, allOf].flat().flatMap((each) => stringsIn(each, definitions, path));
  const fields = Object.entries(properties as Json).flatMap(([name, of]) =>
    stringsIn(of, definitions, [...path, name]),
  );
  const own = [type].flat().includes('string') || propertyNames !== undefined ? [path] : [];
  return [...own, ...alternatives, ...fields, ...stringsIn(items, definitions, [...path, 0])];
};

const withValue = (target: unknown, [first, ...rest]: Path, value: string): unknown => {
  if (first === undefined) return value;
  const inner = isObject(target) ? (target as Record<string | number, unknown>)[first] : undefined;
  const changed = withValue(inner, rest, value);
  if (typeof first === 'number') return [changed];
  return { ...(isObject(target) ? target : {}), [first]: changed };
};

const placesIn = (schema: z.ZodType | undefined): readonly Path[] => {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const found = stringsIn(json, (json.$defs ?? {}) as Json);
  return [...new Map(found.map((path) => [JSON.stringify(path), path])).values()];
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const usedMegabytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** Calls of an operation, each with one long string at one of the places where the operation accepts strings. */
const callsWithLongStrings = (operation: Operation): Array<(value: string) => Promise<unknown>> => {
  const serve = operationFunction(operation, async (request) => {
    // The body of some operations is read only when the handler asks for it.
    void request.body;
    throw new BadRequestError({ issues: [] });
  });
  const [example] = (operation.body?.meta()?.examples ?? []) as readonly unknown[];
  const call = (props: Parameters<typeof anApiEvent>[0]) =>
    serve(
      anApiEvent({ method: operation.method, headers: { 'content-type': 'application/json' }, ...props }),
      aContext(),
    );
  return [
    ...placesIn(operation.body).map(
      (path) => (value: string) => call({ body: withValue(example, path, value) }),
    ),
    ...placesIn(operation.query).map(
      ([name = '']) =>
        (value: string) =>
          call({ query: { [name]: value } }),
    ),
    ...placesIn(operation.path).map(
      ([name = '']) =>
        (value: string) =>
          call({ path: { [name]: value } }),
    ),
  ];
};

const withStrings = operations.filter((operation) => callsWithLongStrings(operation).length > 0);

it('the test of long strings finds the strings of the operations', () => {
  const mint = operations.find(({ operationId }) => operationId === 'mintBatch');

  expect(placesIn(mint?.body)).toContainEqual(['tokens', 0, 'destination']);
  expect(withStrings.length).toBeGreaterThan(25);
});

/**
 * How many megabytes more are in use after each of the calls was made with the long strings of a window. It is the
 * median of the windows, since what other tests of the process leave behind is freed in one of them, or in two.
 */
const grownBy = async (calls: ReturnType<typeof callsWithLongStrings>): Promise<number> => {
  const all = async (round: number): Promise<void> => {
    for (const call of calls) await call(`${round}-`.padEnd(length, 'aB'));
  };
  await all(0);
  const grown: number[] = [];
  let before = usedMegabytes();
  for (let round = 1; round <= windows * roundsInWindow; round++) {
    await all(round);
    if (round % roundsInWindow > 0) continue;
    const after = usedMegabytes();
    grown.push(after - before);
    before = after;
  }
  return grown.toSorted((a, b) => a - b)[Math.floor(windows / 2)] as number;
};

/** Half of what a window adds if one string of each round is kept. */
const leastMegabytes = (roundsInWindow * length) / 2 ** 21;

it('functions keep no long strings in memory after any operation', async () => {
  // Most of the time goes into collecting garbage. So the operations are judged together, and one by one only if some
  // of them keep strings.
  const grown = await grownBy(withStrings.flatMap(callsWithLongStrings));
  const keeping: string[] = [];
  if (grown >= leastMegabytes) {
    for (const operation of withStrings) {
      const calls = callsWithLongStrings(operation);
      if ((await grownBy(calls)) >= leastMegabytes) keeping.push(operation.operationId);
    }
  }

  expect(keeping).toEqual([]);
});

it('the test of long strings notices a function that keeps one string of each call, while others free memory', async () => {
  const kept: string[] = [];
  const leftBehind = Array.from({ length: 3 * roundsInWindow }, (_, n) =>
    JSON.stringify([n, 'x'.repeat(length)]),
  );

  const grown = await grownBy([
    async (value) => {
      // As each call does, it turns what the string was made of into one long string.
      kept.push(JSON.parse(JSON.stringify(value)));
      if (kept.length === 2) leftBehind.length = 0;
    },
  ]);

  expect(kept).toHaveLength(windows * roundsInWindow + 1);
  expect(grown).toBeGreaterThan(leastMegabytes);
});
