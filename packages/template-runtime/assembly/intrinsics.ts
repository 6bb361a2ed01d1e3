import * as z from 'zod';

export interface Scope {
  ref(name: string): unknown;
  getAtt(logicalId: string, attribute: string): unknown;
}

/** Replaces every intrinsic function in a template's value. Throws on an unknown function. */
export const resolve = (value: unknown, scope: Scope): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope));
  if (!isObject(value)) return value;
  const call = intrinsicOf(value);
  if (call) return apply(call, scope);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, scope)]));
};

export const namesIn = (value: unknown): Set<string> => {
  const names = new Set<string>();
  const visit = (item: unknown): void => {
    if (Array.isArray(item)) item.forEach(visit);
    if (!isObject(item)) return;
    const call = intrinsicOf(item);
    if (call?.name === 'Ref') names.add(String(call.argument));
    if (call?.name === 'Fn::GetAtt') names.add(attributeOf(call.argument).logicalId);
    if (call?.name === 'Fn::Sub') {
      const { text, variables } = substitutionOf(call.argument);
      for (const { name } of placeholders(text)) {
        if (!(name in variables)) names.add(name.split('.')[0] ?? name);
      }
    }
    Object.values(item).forEach(visit);
  };
  visit(value);
  return names;
};

interface Call {
  readonly name: string;
  readonly argument: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A call of an intrinsic function is an object with a single key: `{ Ref: … }` or `{ "Fn::…": … }`. */
const intrinsicOf = (value: Record<string, unknown>): Call | undefined => {
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0) return undefined;
  const [name, argument] = entry;
  return name === 'Ref' || name.startsWith('Fn::') ? { name, argument } : undefined;
};

const apply = ({ name, argument }: Call, scope: Scope): unknown => {
  const operation = functions[name];
  if (!operation) throw new Error(`the local runtime does not support ${name}`);
  return operation(argument, scope);
};

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const functions: Readonly<Record<string, (argument: unknown, scope: Scope) => unknown>> = {
  Ref: (argument, scope) => scope.ref(z.string().parse(argument)),

  'Fn::GetAtt': (argument, scope) => {
    const { logicalId, attribute } = attributeOf(argument);
    return scope.getAtt(logicalId, attribute);
  },

  'Fn::Join': (argument, scope) => {
    const [delimiter, list] = z.tuple([z.string(), z.unknown()]).parse(argument);
    return z
      .array(text, { error: 'Fn::Join accepts only strings, numbers and booleans' })
      .parse(resolve(list, scope))
      .join(delimiter);
  },

  'Fn::Select': (argument, scope) => {
    const [index, list] = z.tuple([z.coerce.number().pipe(z.int()), z.unknown()]).parse(argument);
    const values = z.array(z.unknown()).parse(resolve(list, scope));
    if (values[index] === undefined) throw new Error(`Fn::Select: the list has no value ${index}`);
    return values[index];
  },

  'Fn::Sub': (argument, scope) => {
    const { text: template, variables } = substitutionOf(argument);
    return template.replaceAll(
      placeholder,
      (whole, literal: string | undefined, name: string | undefined) => {
        if (literal !== undefined) return `\${${literal}}`;
        if (name === undefined) return whole;
        return text.parse(substitute({ name, variables, scope }));
      },
    );
  },
};

/** @public */
export const intrinsicFunctions: readonly string[] = Object.keys(functions);

const attributeOf = (argument: unknown): { logicalId: string; attribute: string } => {
  const [logicalId = '', ...rest] =
    typeof argument === 'string' ? argument.split('.') : z.array(z.string()).parse(argument);
  return { logicalId, attribute: rest.join('.') };
};

/** Matches `${Name}`, `${Name.Attribute}` and `${!literal}`, the escape for `${literal}`. */
const placeholder = /\$\{(?:!([^}]*)|([^!}][^}]*))\}/g;

const placeholders = (template: string): { readonly name: string }[] =>
  [...template.matchAll(placeholder)].flatMap(([, , name]) => (name === undefined ? [] : [{ name }]));

const substitutionOf = (argument: unknown): { text: string; variables: Record<string, unknown> } => {
  if (typeof argument === 'string') return { text: argument, variables: {} };
  const [template, variables] = z.tuple([z.string(), z.record(z.string(), z.unknown())]).parse(argument);
  return { text: template, variables };
};

const substitute = (place: { name: string; variables: Record<string, unknown>; scope: Scope }): unknown => {
  const { name, variables, scope } = place;
  if (name in variables) return resolve(variables[name], scope);
  const [logicalId = '', ...attribute] = name.split('.');
  return attribute.length > 0 ? scope.getAtt(logicalId, attribute.join('.')) : scope.ref(name);
};
