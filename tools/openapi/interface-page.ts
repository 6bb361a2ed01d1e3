import type { Json } from './schemas.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Response {
  readonly $ref?: string;
  readonly headers?: Json;
  readonly content?: Content;
}

interface Call {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<'apiKey' | 'accessToken', unknown>>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

type Methods = Readonly<Record<'get' | 'put' | 'post' | 'delete', Call | undefined>>;

interface Document {
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** A part that a caller sees, in the notation of the page: `` `name`: string `` */
type Part = string;

const methods = ['get', 'put', 'post', 'delete'] as const;
const headerOf = { apiKey: 'x-api-key', accessToken: 'Authorization' } as const;

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const formOf = (schema: Schema): string => {
  const { $ref, anyOf, items, type, format } = schema;
  if ($ref !== undefined) return `[${nameIn($ref)}](#${nameIn($ref).toLowerCase()})`;
  if (anyOf !== undefined) return anyOf.map(formOf).join(' or ');
  if (items !== undefined) return `array of ${formOf(items)}`;
  return format ?? [type ?? 'any'].flat().join(' or ');
};

const optional = (isRequired: boolean | undefined) => (isRequired === true ? '' : ', optional');

/**
 * Separates the other types of a field that can be of several, such as a string, a number or null: the first type and
 * null are one part, and each other type is a part of its own, which may have another promise.
 */
const separated = (schema: Schema): { readonly form: Schema; readonly others: readonly Schema[] } => {
  const { anyOf = [] } = schema;
  const [first, ...rest] = anyOf.filter(({ type }) => typeof type === 'string' && type !== 'null');
  const others = rest.filter(({ type }) => type !== first?.type);
  return others.length === 0
    ? { form: schema, others }
    : { form: { ...schema, anyOf: anyOf.filter((each) => !others.includes(each)) }, others };
};

const fieldsOf = (schema: Schema, prefix = ''): Part[] =>
  Object.entries(schema.properties ?? {}).flatMap(([field, value]) => {
    const { form, others } = separated(value);
    const name = `\`${prefix}${field}\``;
    return [
      `${name}: ${formOf(form)}${optional(schema.required?.includes(field))}`,
      ...others.map((other) => `${name} as ${formOf(other)}`),
      ...within(`${prefix}${field}`, value),
    ];
  });

/** The values that a field can have, and the fields of an object that has no name of its own. */
const within = (name: string, schema: Schema): Part[] => [
  ...[...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map(
    (value) => `\`${name}\` = \`${value}\``,
  ),
  ...(schema.anyOf ?? []).flatMap((each) => within(name, each)),
  ...(schema.items === undefined ? [] : within(`${name}[]`, schema.items)),
  ...fieldsOf(schema, `${name}.`),
];

const partsOfBody = (schema: Schema): Part[] => {
  if (schema.properties === undefined) return [`body: ${formOf(schema)}`, ...within('body', schema)];
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  return [...fieldsOf(schema), ...(isOpen ? ['other fields: any'] : [])];
};

const formOfContent = (content: Content | undefined): string => {
  const [body] = Object.values(content ?? {});
  return body === undefined ? 'no body' : formOf(body.schema);
};

const partsOfCall = (call: Call, { components }: Document): Part[] => {
  const { security, parameters, requestBody } = call;
  const schemes = Object.keys(headerOf) as (keyof typeof headerOf)[];
  const isOpen = security.some((each) => Object.keys(each).length === 0);
  const responses = Object.entries(call.responses).map(([status, response]) => {
    const { $ref } = response;
    return { status, ...($ref === undefined ? response : components.responses[nameIn($ref)]) };
  });
  const headers = new Set(responses.flatMap((response) => Object.keys(response.headers ?? {})));
  return [
    ...schemes
      .filter((scheme) => security.some((each) => scheme in each))
      .map((scheme) => `header \`${headerOf[scheme]}\`: string${optional(!isOpen)}`),
    ...parameters.map(
      (each) => `${each.in} \`${each.name}\`: ${formOf(each.schema)}${optional(each.required)}`,
    ),
    ...(requestBody === undefined ? [] : [`request body: ${formOfContent(requestBody.content)}`]),
    ...responses.map(({ status, content }) => `response \`${status}\`: ${formOfContent(content)}`),
    ...[...headers].map((name) => `response header \`${name}\`: string`),
  ];
};

const callsOf = (paths: Document['paths']) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const call = item[method];
      return call === undefined ? [] : [{ path, method: `\`${method.toUpperCase()}\``, call }];
    }),
  );

/**
 * Responses that every call can have are listed only once: too many requests, errors of the service, and when to try
 * again.
 */
const canBeOfEveryCall = (part: Part) => /^response (`429`|`431`|`5\d\d`|header `Retry-After`):/.test(part);

/** The parts that callers see, by the heading under which the page promises them. */
const partsByHeading = (document: Document): Map<string, readonly Part[]> => {
  const calls = callsOf(document.paths).map(({ path, method, call }) => ({
    name: call.operationId,
    parts: [method, `\`${path}\``, ...partsOfCall(call, document)],
  }));
  const common = (calls[0]?.parts ?? []).filter(
    (part) => canBeOfEveryCall(part) && calls.every(({ parts }) => parts.includes(part)),
  );
  return new Map<string, readonly Part[]>([
    ['Every call', common],
    ...calls.map(({ name, parts }) => [name, parts.filter((part) => !common.includes(part))] as const),
    ...callsOf(document.webhooks).map(
      ({ method, call }) => [call.operationId, [method, ...partsOfCall(call, document)]] as const,
    ),
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) => [name, partsOfBody(schema)] as const,
    ),
  ]);
};

const promises = ['fixed', "Marquee's own", 'undecided'] as const;

/** The lines `- fixed: …` and `- Marquee's own: …` of a section. */
const promiseLines = new RegExp(`^(- (${promises.join('|')}): .*\\n)+`, 'm');

/** The part without its form, so that a part keeps its promise when its form changes. */
const nameOf = (part: Part): string => part.replace(/: .*/, '');

const promisesOf = (heading: string, parts: readonly Part[], written: string): string => {
  const promiseOf = new Map<string, string>();
  for (const [, promise = '', list = ''] of written.matchAll(/^- (.+?): (.*)$/gm)) {
    for (const part of list.split('; ')) {
      if (promise === 'fixed' && !parts.includes(part)) {
        throw new Error(`${heading} no longer has ${part}, which docs/interface.md calls fixed`);
      }
      promiseOf.set(nameOf(part), promise);
    }
  }
  return promises
    .map((promise) => ({
      promise,
      list: parts.filter((part) => (promiseOf.get(nameOf(part)) ?? 'undecided') === promise),
    }))
    .filter(({ list }) => list.length > 0)
    .map(({ promise, list }) => `- ${promise}: ${list.join('; ')}\n`)
    .join('');
};

/**
 * The text of docs/interface.md with exactly the parts that the OpenAPI document contains. Only the page records which
 * parts are fixed, so the promise of each part is copied from the page. A new part is `undecided` until somebody moves
 * it to one of the other two promises.
 *
 * @throws when a fixed part is missing or has another form, or when the page and the document have different headings.
 */
export const withParts = (page: string, openApiDocument: Json): string => {
  const left = partsByHeading(openApiDocument as unknown as Document);
  const sections = page.split(/^(?=#{2,3} )/m).map((section) => {
    const heading = /^#+ (.+)/.exec(section)?.[1] ?? '';
    const parts = left.get(heading);
    const written = promiseLines.exec(section)?.[0];
    if (parts === undefined) {
      if (written === undefined) return section;
      throw new Error(`docs/interface.md has ${heading}, but the OpenAPI document has not`);
    }
    left.delete(heading);
    const lines = promisesOf(heading, parts, written ?? '');
    return written === undefined
      ? `${section.trimEnd()}\n\n${lines}\n`
      : section.replace(promiseLines, () => lines);
  });
  if (left.size > 0) throw new Error(`docs/interface.md needs the headings ${[...left.keys()].join(', ')}`);
  return sections.join('');
};
