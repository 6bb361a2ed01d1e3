import * as z from 'zod';

export type Json = Record<string, unknown>;

type Direction = 'input' | 'output';

/** The schemas for the document's `components`. Each is listed under the name in its `.meta({ id })`. */
export interface Components {
  /**
   * The JSON schema of a zod schema. Each named schema in it, or the schema itself if it has a name, becomes a `$ref`.
   */
  schemaOf(schema: z.ZodType, direction: Direction): Json;
  all(): Json;
  /** The first example of a named schema. For an array schema, a list that contains the first example of its items. */
  exampleOf(schema: Json): unknown;
}

const components = '#/components/schemas/';

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Adjusts the JSON schema that zod creates.
 *
 * - Copies examples and defaults from `.meta` into the JSON schema: zod omits both if parsing changes a value.
 * - Drops a pattern if there is a format: a client that checks both would refuse valid responses.
 * - Drops the pattern of a query parameter that is sent as text but described as a number.
 * - Drops a constant of a truth value: openapi-generator's Java does not compile with it. Without it, a value may match
 *   several schemas of a union, so `oneOf` becomes `anyOf`.
 * - Allows additional fields in responses, because a later release may add fields. In requests, they are refused.
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
  if (jsonSchema.type === 'boolean') delete jsonSchema.const;
  if (jsonSchema.oneOf !== undefined) {
    jsonSchema.anyOf = jsonSchema.oneOf;
    delete jsonSchema.oneOf;
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
    // The schema is put into an array, because zod ignores the name of the top-level schema.
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
          `Two schemas are called ${name}, or its request and response forms differ: give them different names`,
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
    throw new Error('A body must be a schema with `.meta({ id, examples })`, or an array of one');
  };

  return {
    schemaOf,
    all: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
    exampleOf,
  };
};
