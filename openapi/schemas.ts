import * as z from 'zod';

export type Json = Record<string, unknown>;

type Direction = 'input' | 'output';

/** The document's components: schemas by the name in their `.meta({ id })`. */
export interface Components {
  /** A schema with a `$ref` for every named schema in it, including itself. */
  schemaOf(schema: z.ZodType, direction: Direction): Json;
  all(): Json;
  /** An example that fits the schema: its own, or one made from the examples of its parts. */
  exampleOf(schema: Json): unknown;
}

const components = '#/components/schemas/';

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Adjusts what zod makes of a schema.
 *
 * - Restores the examples and defaults of `.meta`: zod leaves both out where parsing changes a value.
 * - Drops a pattern beside a format: a client that checks both would refuse good responses.
 * - Drops the pattern of a query's text that is described as a number.
 * - Lets responses have further fields, because responses may grow. Only requests refuse them.
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
    // In an array, because zod does not look at the name of the top schema.
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
