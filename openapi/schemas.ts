import * as z from 'zod';

export type Json = Record<string, unknown>;

/** `input`: what a caller sends. `output`: what it is answered. */
type Direction = 'input' | 'output';

/** Schemas by the name that their `.meta({ id })` gives them, as the document's components. */
export interface Components {
  /** A schema with `$ref`s to every named schema in it, itself included. */
  schemaOf(schema: z.ZodType, direction: Direction): Json;
  /** What was named so far, by name. */
  all(): Json;
  /** An example that fits the schema: its own, or one made of those of what it lists. */
  exampleOf(schema: Json): unknown;
}

const components = '#/components/schemas/';

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What is left of zod's own form.
 *
 * - Examples, and a default that `.meta` repeats, are the caller's: zod leaves both out where parsing changes a value.
 * - A format says it all: a client that checks zod's pattern beside it as well refuses good answers.
 * - A query's text that is described as a number is described by its digits no more.
 * - Answers may grow, so that only requests say that there is nothing else.
 */
const plain = (zodSchema: z.core.$ZodType, jsonSchema: Json, direction: Direction): void => {
  const said = z.globalRegistry.get(zodSchema) ?? {};
  for (const key of ['default', 'examples']) {
    if (said[key] !== undefined && jsonSchema.$ref === undefined) jsonSchema[key] = said[key];
  }
  const isText = jsonSchema.type === 'string';
  if (jsonSchema.pattern !== undefined && (jsonSchema.format !== undefined || !isText)) {
    delete jsonSchema.pattern;
  }
  if (direction === 'output' && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties;
  }
};

const withComponentReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withComponentReferences);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', components)]
        : [key, withComponentReferences(inner)],
    ),
  );
};

export const collectComponents = (): Components => {
  const named = new Map<string, Json>();

  const schemaOf = (schema: z.ZodType, direction: Direction): Json => {
    // In an array, since the name of what is asked for at the top is not looked at.
    const converted = withComponentReferences(
      z.toJSONSchema(z.array(schema), {
        io: direction,
        target: 'draft-2020-12',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => plain(zodSchema, jsonSchema as Json, direction),
      }),
    ) as { readonly items: Json; readonly $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries(converted.$defs ?? {})) {
      const known = named.get(name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(
          `Two schemas are called ${name}, or one is sent and answered: name what differs differently`,
        );
      }
      named.set(name, definition);
    }
    return converted.items;
  };

  const exampleOf = (schema: Json): unknown => {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.slice(components.length);
      const examples = named.get(name)?.examples;
      if (!Array.isArray(examples)) throw new Error(`${name} has no examples in its .meta()`);
      return examples[0];
    }
    if (schema.type === 'array' && isRecord(schema.items)) return [exampleOf(schema.items)];
    throw new Error('What is sent or answered has a name, `.meta({ id, examples })`, or lists what has one');
  };

  return {
    schemaOf,
    all: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
    exampleOf,
  };
};
