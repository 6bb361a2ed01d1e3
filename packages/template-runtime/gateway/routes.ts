export interface Resource {
  readonly id: string;
  /** As the template declares it: `/contracts/{contract}`; `/` for the root. */
  readonly path: string;
}

export interface Route {
  readonly resource: Resource;
  /** The values of the path parameters as they are in the URL, not decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface NewResource {
  readonly id: string;
  readonly parentId: string;
  /** `contracts`, `{contract}` or `{proxy+}`. */
  readonly pathPart: string;
}

interface Node {
  readonly resource: Resource;
  readonly literals: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  greedy?: { readonly name: string; readonly node: Node };
}

/**
 * The resources of one REST API. As on API Gateway, a literal path part takes precedence over a parameter (`{name}`),
 * and a parameter over a greedy parameter (`{name+}`). A trailing slash makes no difference.
 */
export class ResourceTree {
  readonly rootId: string;
  readonly #root: Node;
  readonly #nodes = new Map<string, Node>();

  constructor(rootId: string) {
    this.rootId = rootId;
    this.#root = { resource: { id: rootId, path: '/' }, literals: new Map() };
    this.#nodes.set(rootId, this.#root);
  }

  add({ id, parentId, pathPart }: NewResource): void {
    const parent = this.#nodes.get(parentId);
    if (parent === undefined)
      throw new Error(`the parent of ${pathPart}, the resource ${parentId}, does not exist`);
    const path = `${parent.resource.path === '/' ? '' : parent.resource.path}/${pathPart}`;
    const node: Node = { resource: { id, path }, literals: new Map() };
    const [, name, plus] = /^\{([\w.-]+)(\+)?\}$/.exec(pathPart) ?? [];
    const isTaken =
      name === undefined
        ? parent.literals.has(pathPart)
        : (plus === undefined ? parent.parameter : parent.greedy) !== undefined;
    if (isTaken) throw new Error(`two resources have the path ${path}`);
    if (name === undefined) parent.literals.set(pathPart, node);
    else if (plus === undefined) parent.parameter = { name, node };
    else parent.greedy = { name, node };
    this.#nodes.set(id, node);
  }

  resource(id: string): Resource | undefined {
    return this.#nodes.get(id)?.resource;
  }

  match(path: string): Route | undefined {
    const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
    return trimmed === ''
      ? { resource: this.#root.resource, parameters: {} }
      : descend(this.#root, trimmed.split('/'));
  }
}

const descend = (node: Node, [part, ...rest]: readonly string[]): Route | undefined => {
  if (part === undefined) return { resource: node.resource, parameters: {} };
  const literal = node.literals.get(part);
  const byLiteral = literal && descend(literal, rest);
  if (byLiteral !== undefined) return byLiteral;
  if (node.parameter !== undefined && part !== '') {
    const { name, node: child } = node.parameter;
    const route = descend(child, rest);
    if (route !== undefined) return { ...route, parameters: { [name]: part, ...route.parameters } };
  }
  if (node.greedy === undefined) return undefined;
  return {
    resource: node.greedy.node.resource,
    parameters: { [node.greedy.name]: [part, ...rest].join('/') },
  };
};
