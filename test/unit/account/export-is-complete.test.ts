import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { exportPageSchema } from '../../../shared/account/http/export-answers.ts';
import { type Kind, storedKinds } from '../../support/account/stored-attributes.ts';
import { storedSchemas } from '../../support/account/stored-schemas.ts';

interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
}

/** All paths of fields below a schema. */
const fieldsOf = (root: Node): readonly string[] => {
  const below = (node: Node, path: readonly string[]): string[] => {
    const { properties = {}, items, anyOf = [], $ref } = node;
    const named = $ref === undefined ? undefined : root.$defs?.[$ref.split('/').at(-1) ?? ''];
    return [
      ...Object.entries(properties).flatMap(([name, each]) => [
        [...path, name].join('.'),
        ...below(each, [...path, name]),
      ]),
      ...[items, named, ...anyOf].flatMap((each) => (each === undefined ? [] : below(each, path))),
    ];
  };
  return below(root, []);
};

const schemas = storedSchemas();
/** The schemas of a kind of items, each with the name of the part that it is of. */
const partsOf = (kind: Kind) =>
  kind.schemas.map((named) => {
    const [part = '', schema] = named.split(': ');
    return schema === undefined ? { schema: part, part: '' } : { schema, part: `${part}.` };
  });

describe('the export of a user', () => {
  it('has every attribute of every stored schema, or there is a reason why not', () => {
    const unsaid = [...schemas].flatMap(([name, attributes]) => {
      const uses = storedKinds.flatMap((kind) =>
        partsOf(kind).flatMap(({ schema, part }) => (schema === name ? [{ kind, part }] : [])),
      );
      if (uses.length === 0) return [`${name}: no kind of items has this schema`];
      return attributes
        .filter((each) => !uses.every(({ kind, part }) => Object.hasOwn(kind.attributes, `${part}${each}`)))
        .map((attribute) => `${name}: ${attribute}`);
    });

    expect(unsaid).toEqual([]);
  });

  it('shows what the list says that it shows', () => {
    const fields = fieldsOf(
      z.toJSONSchema(exportPageSchema, { io: 'output', reused: 'inline', unrepresentable: 'any' }) as Node,
    );

    const missing = storedKinds.flatMap(({ attributes }) =>
      Object.values(attributes).flatMap((where) =>
        typeof where === 'string' || fields.includes(where.shownAs) ? [] : [where.shownAs],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('is compared with schemas that are still there', () => {
    const gone = storedKinds.flatMap((kind) => partsOf(kind).filter(({ schema }) => !schemas.has(schema)));

    expect(gone).toEqual([]);
  });
});
