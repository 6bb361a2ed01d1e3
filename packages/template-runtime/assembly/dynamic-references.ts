import type { SecretEngine } from '../engines/secrets.ts';

/**
 * `{{resolve:secretsmanager:<secret>:SecretString:<field>:<stage>:<version>}}`. CloudFormation reads the secret only
 * when it deploys a change of the resource that has the reference.
 */
const secretReference = /\{\{resolve:secretsmanager:(.+?):SecretString:([^:}]*)(?::[^:}]*){0,2}\}\}/g;
const anyReference = /\{\{resolve:[^}]*\}\}/;

const fieldOf = (text: string, field: string): string => {
  if (field === '') return text;
  const value: unknown = (JSON.parse(text) as Readonly<Record<string, unknown>>)[field];
  if (typeof value !== 'string') throw new Error(`the secret has no text in the field ${field}`);
  return value;
};

/** Replaces every dynamic reference in the resolved properties of a resource. Throws on one of another service. */
export const resolveReferences = (value: unknown, secrets: Pick<SecretEngine, 'get'>): unknown => {
  if (typeof value === 'string') {
    if (!anyReference.test(value)) return value;
    const resolved = value.replaceAll(secretReference, (_, id: string, field: string) =>
      fieldOf(secrets.get(id).value, field),
    );
    const [unknown] = anyReference.exec(resolved) ?? [];
    if (unknown !== undefined) throw new Error(`the local runtime does not support ${unknown}`);
    return resolved;
  }
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, resolveReferences(each, secrets)]),
  );
};
