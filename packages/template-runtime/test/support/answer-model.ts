import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { XMLParser } from 'fast-xml-parser';

/**
 * AWS's own model of an operation, which each SDK client exports under the operation's name and `$`. A schema is a
 * number (a simple type), an array that begins with a number and a namespace, a function that returns a schema, or a
 * pair of a schema and traits.
 */
type Model = unknown;

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

interface Handler {
  handle(request: never, options?: never): Promise<{ response: { statusCode: number; body?: unknown } }>;
}

/** Keeps the last answer that the client got, before the client reads it. */
export const recordAnswers = (client: { config: { requestHandler: unknown } }) => {
  const handler = client.config.requestHandler as Handler;
  let last: RawAnswer = { status: 0, body: '' };
  client.config.requestHandler = Object.assign(Object.create(handler), {
    handle: async (...call: Parameters<Handler['handle']>) => {
      const { response } = await handler.handle(...call);
      const bytes = await buffer(response.body as Readable);
      last = { status: response.statusCode, body: bytes.toString('utf8') };
      return { response: Object.assign(response, { body: Readable.from([bytes]) }) };
    },
  });
  return () => last;
};

const structure = 3;
const list = 1;
const map = 2;
const ofSimpleTypes: Readonly<Record<number, string>> = { 0: 'string', 1: 'number', 2: 'boolean' };
/** A list of a simple type is the type and this bit. */
const listBit = 64;

interface Resolved {
  readonly schema: unknown;
  readonly jsonName: string | undefined;
}

const resolved = (model: Model, jsonName?: string): Resolved => {
  if (typeof model === 'function') return resolved(model(), jsonName);
  if (Array.isArray(model) && typeof model[1] !== 'string') {
    const traits = model[1];
    return resolved(model[0], typeof traits === 'object' && traits ? traits.jsonName : jsonName);
  }
  return { schema: model, jsonName };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Form {
  readonly isXml: boolean;
}

const itemsOf = (value: unknown, { isXml }: Form): unknown[] | undefined => {
  if (!isXml) return Array.isArray(value) ? value : undefined;
  if (value === '') return [];
  if (!isObject(value)) return undefined;
  return [value.member ?? []].flat();
};

const compare = (model: Model, value: unknown, path: string, form: Form): string[] => {
  const { schema } = resolved(model);
  if (typeof schema === 'number') {
    if (schema >= listBit && schema < 2 * listBit)
      return itemsOf(value, form) === undefined ? [`${path} is no list`] : [];
    const type = form.isXml ? 'string' : ofSimpleTypes[schema];
    return type === undefined || typeof value === type ? [] : [`${path} is no ${type}`];
  }
  if (!Array.isArray(schema)) return [];
  const [kind] = schema;
  if (kind === list) {
    const items = itemsOf(value, form);
    if (items === undefined) return [`${path} is no list`];
    return items.flatMap((item, index) => compare(schema[4], item, `${path}[${index}]`, form));
  }
  if (kind === map || kind !== structure) return [];
  if (!isObject(value)) return value === '' && form.isXml ? [] : [`${path} is no structure`];
  const [, , , , names, members, requiredCount = 0]: [
    number,
    string,
    string,
    unknown,
    string[],
    unknown[],
    number?,
  ] = schema as never;
  const known = new Map(
    names.map((name, index) => {
      const { jsonName } = resolved(members[index]);
      return [form.isXml ? name : (jsonName ?? name), members[index]];
    }),
  );
  const keys = [...known.keys()];
  return [
    ...Object.keys(value).flatMap((name) =>
      known.has(name)
        ? compare(known.get(name), value[name], `${path}.${name}`, form)
        : [`${path} has ${name}`],
    ),
    ...keys
      .slice(0, requiredCount)
      .flatMap((name) => (value[name] === undefined ? [`${path} lacks ${name}`] : [])),
  ];
};

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });

/**
 * What the answer has that AWS's model of the operation does not have, and what it lacks although the model requires it.
 * The answer of an operation without an output has no body, or in XML no result.
 */
export const differencesFromModel = (operation: Model, { status, body }: RawAnswer): string[] => {
  const [, , name, , , output] = operation as [number, string, string, unknown, unknown, unknown];
  const { schema } = resolved(output);
  if (status >= 300) return [`${name} got ${status}: ${body}`];
  const isXml = body.startsWith('<');
  const answer: unknown = isXml ? parser.parse(body)[`${name}Response`] : body === '' ? '' : JSON.parse(body);
  if (schema === 'unit') {
    const result = isXml && isObject(answer) ? answer[`${name}Result`] : answer || undefined;
    return result === undefined ? [] : [`${name} has no output, but the answer has one`];
  }
  const result = isXml && isObject(answer) ? answer[`${name}Result`] : answer === '' ? {} : answer;
  return compare(schema, result, name, { isXml });
};
