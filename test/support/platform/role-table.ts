import { resourcesOf, type StackTemplate } from './stack.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Policy {
  readonly PolicyDocument: { readonly Statement: Statement | readonly Statement[] };
}

/** A role of the template, and everything that its policies allow: one line for each resource. */
export interface RolePermissions {
  /** The function's folder, or the role's name in the template. */
  readonly role: string;
  readonly may: readonly string[];
}

const listOf = <Item>(value: Item | readonly Item[] | undefined): readonly Item[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Item];

/** Every role writes its own log and traces, and can do no harm with that. */
const harmless = /^(logs:(CreateLogStream|PutLogEvents)|xray:\w+)$/;

/** The readable name of a resource: its logical id without the hash, and the rest of its ARN. */
const nameOf = (resource: unknown): string => {
  if (typeof resource === 'string') return resource;
  const {
    Ref,
    'Fn::GetAtt': att,
    'Fn::Join': join,
  } = resource as {
    readonly Ref?: string;
    readonly 'Fn::GetAtt'?: readonly [string, string];
    readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
  };
  if (join !== undefined) return join[1].map(nameOf).join('');
  return String(Ref ?? (att?.[1] === 'Arn' ? att[0] : att?.join(' '))).replace(
    /(Table|Queue|Secret|Function)?[0-9A-F]{8}/,
    '',
  );
};

const conditionOf = ({ Condition = {} }: Statement): string => {
  const all = Object.values(Condition).flatMap((keys) => Object.entries(keys));
  const keyed = all.map(
    ([key, values]) =>
      `${key.replace('dynamodb:LeadingKeys', 'keys')} ${listOf(values).map(String).join(', ')}`,
  );
  return keyed.length === 0 ? '' : ` (${keyed.join('; ')})`;
};

const linesOf = (statement: Statement): [string, string][] => {
  const actions = listOf(statement.Action).filter((action) => !harmless.test(action));
  if (actions.length === 0) return [];
  const verbs = actions.map((action) => action.replace(/^dynamodb:/, '')).join(', ');
  return listOf(statement.Resource).map((resource) => [
    nameOf(resource).replace(/^arn:<?[^>]*?AWS::AccountId:/, ''),
    `${verbs}${conditionOf(statement)}`,
  ]);
};

const folder = /^What functions\/(\S+) may do$/;

export const rolePermissions = (template: StackTemplate): readonly RolePermissions[] => {
  const separate = resourcesOf(template, 'AWS::IAM::Policy').map(([, { Properties }]) => Properties);
  return resourcesOf(template, 'AWS::IAM::Role')
    .map(([id, { Properties }]): RolePermissions => {
      const own = listOf(Properties.Policies as Policy[] | undefined);
      const others = separate.filter(({ Roles }) =>
        JSON.stringify(Roles).includes(`"${id}"`),
      ) as unknown as Policy[];
      const managed = listOf(Properties.ManagedPolicyArns as unknown[] | undefined).map(
        (arn) => `managed policy: ${nameOf(arn).replace(/^.*\//, '')}`,
      );
      const byResource = Map.groupBy(
        [...own, ...others].flatMap(({ PolicyDocument }) =>
          listOf(PolicyDocument.Statement).flatMap(linesOf),
        ),
        ([resource]) => resource,
      );
      return {
        role: folder.exec(String(Properties.Description))?.[1] ?? id.replace(/[0-9A-F]{8}$/, ''),
        may: [
          ...[...byResource].map(
            ([resource, lines]) => `${resource}: ${lines.map(([, what]) => what).join('; ')}`,
          ),
          ...managed,
        ].sort(),
      };
    })
    .sort((a, b) => (a.role < b.role ? -1 : 1));
};
