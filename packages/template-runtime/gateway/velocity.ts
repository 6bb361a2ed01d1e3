import { Compile, parse } from 'velocityjs';

export interface Rendered {
  readonly body: string;
  /** What the template assigned to `$context.responseOverride.header.<name>`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A node of the parsed template. Text between directives is a plain string, and a block is an array. */
type Node = string | readonly Node[] | { readonly type: string; readonly [part: string]: unknown };
type Reference = { readonly id: string; readonly path?: readonly { readonly id: string }[] };

/** The parts of a node that contain further nodes. */
const parts: Readonly<Record<string, readonly string[]>> = {
  set: ['equal'],
  if: ['condition'],
  elseif: ['condition'],
  else: [],
  foreach: ['from'],
  math: ['expression'],
  array: ['value'],
  string: [],
  bool: [],
};

/** What a template may read: a header of the request, and its own variables. */
const isSupported = ({ id, path = [] }: Reference, isAssigned: boolean): boolean => {
  const steps = path.map((step) => step.id);
  if (id === 'input') return steps.length === 3 && steps.join('.') === 'params.header.get';
  if (id !== 'context') return steps.length === 0;
  return isAssigned && steps.length === 3 && steps.slice(0, 2).join('.') === 'responseOverride.header';
};

const check = (node: Node, isAssigned = false): void => {
  if (typeof node === 'string') return;
  if (Array.isArray(node)) {
    for (const each of node) check(each);
    return;
  }
  const { type, ...rest } = node as Exclude<Node, string | readonly Node[]>;
  if (type === 'references') {
    const reference = rest as unknown as Reference;
    if (isSupported(reference, isAssigned)) return;
    const written = [reference.id, ...(reference.path ?? []).map(({ id }) => id)].join('.');
    throw new Error(`the template uses $${written}, which the local runtime does not support`);
  }
  const inner = Object.hasOwn(parts, type) ? parts[type] : undefined;
  if (inner === undefined) {
    throw new Error(`the template uses #${type}, which the local runtime does not support`);
  }
  for (const part of inner) {
    const value = rest[part] as Node;
    if (type === 'set' && Array.isArray(value)) {
      check(value[0], true);
      check(value.slice(1));
    } else check(value);
  }
};

/**
 * Compiles a response template in the Velocity language. Throws on anything but directives over the request's headers
 * and over `$context.responseOverride.header`.
 */
export const compileVelocity = (
  template: string,
): ((header: (name: string) => string | undefined) => Rendered) => {
  const tree = parse(template);
  check(tree as unknown as Node);
  return (header) => {
    const headers: Record<string, string> = {};
    // API Gateway has an empty text for a header that the request does not have.
    const input = { params: () => ({ header: { get: (name: string) => header(name) ?? '' } }) };
    const body = new Compile(tree).render({ input, context: { responseOverride: { header: headers } } });
    return { body, headers };
  };
};
