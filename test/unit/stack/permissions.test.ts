import { describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../support/stack.ts';

const template = templateOf('prod');

interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

const listOf = <Item>(value: Item | readonly Item[] | undefined): readonly Item[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Item];

const statementsOf = (document: unknown): readonly Statement[] =>
  listOf((document as { Statement: Statement | Statement[] }).Statement);

const rolePolicies = [
  ...resourcesOf(template, 'AWS::IAM::Policy').map(([id, { Properties }]) => ({
    id,
    document: Properties.PolicyDocument,
  })),
  ...resourcesOf(template, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
    listOf(Properties.Policies as { PolicyDocument: unknown }[] | undefined).map(({ PolicyDocument }) => ({
      id,
      document: PolicyDocument,
    })),
  ),
].flatMap(({ id, document }) => statementsOf(document).map((statement) => ({ id, statement })));

/** Actions that AWS can only grant on all resources. */
const withoutResources = new Set([
  'xray:PutTraceSegments',
  'xray:PutTelemetryRecords',
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
  'logs:CreateLogDelivery',
  'logs:GetLogDelivery',
  'logs:UpdateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:DescribeResourcePolicies',
  'logs:DescribeLogGroups',
]);

describe('roles', () => {
  it('let SNS write its two logs of deliveries, with all that AWS names for it, and no other', () => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
      JSON.stringify(Properties.LogGroupName ?? '').includes('"sns/"'),
    );
    const statements = rolePolicies.filter(({ statement }) =>
      groups.some(([id]) => JSON.stringify(statement.Resource).includes(`"${id}"`)),
    );

    expect(groups).toHaveLength(2);
    expect(statements).toHaveLength(1);
    expect(statements[0]?.statement.Action).toEqual([
      'logs:CreateLogGroup',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
    // Each log group is listed twice: as the group itself, and with `:*` for its streams.
    const names = groups.map(([, { Properties }]) => Properties.LogGroupName);
    const resources = listOf(statements[0]?.statement.Resource);
    expect(resources).toHaveLength(4);
    expect(resources).toEqual(expect.arrayContaining(groups.map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] }))));
    for (const name of names) {
      const [, parts] = (name as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
      const ends = resources.map((resource) => JSON.stringify(resource).replace(/^.*:log-group:/, ''));
      expect(ends).toContain(JSON.stringify(parts).slice(2).concat(']}'));
    }
  });

  it('may do nothing that is not named', () => {
    const wild = rolePolicies.filter(({ statement }) =>
      listOf(statement.Action).some((action) => action.includes('*')),
    );

    expect(wild).toEqual([]);
  });

  it('allow all resources only for actions that cannot be limited to one', () => {
    const wild = rolePolicies.filter(
      ({ statement }) =>
        listOf(statement.Resource).includes('*') &&
        !listOf(statement.Action).every((action) => withoutResources.has(action)),
    );

    expect(wild).toEqual([]);
  });

  it('use a managed policy only where AWS asks for that one', () => {
    const managed = resourcesOf(template, 'AWS::IAM::Role').flatMap(([, { Properties }]) =>
      listOf(Properties.ManagedPolicyArns as unknown[] | undefined),
    );

    expect(managed).toHaveLength(1);
    expect(JSON.stringify(managed)).toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  });

  it('belong to one function each', () => {
    const roles = resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]) =>
      JSON.stringify(Properties.Role),
    );

    expect(new Set(roles).size).toBe(roles.length);
  });

  it('write to the tables that they change, and to no index or stream of another', () => {
    const scans = rolePolicies.filter(({ statement }) =>
      listOf(statement.Action).some((action) => /DeleteTable|UpdateTable|PartiQL/.test(action)),
    );

    expect(scans).toEqual([]);
  });

  it('sign digests and nothing else', () => {
    const signing = rolePolicies.filter(({ statement }) => listOf(statement.Action).includes('kms:Sign'));

    expect(signing.length).toBeGreaterThan(0);
    for (const { statement } of signing) {
      expect(statement.Condition).toEqual({ StringEquals: { 'kms:MessageType': 'DIGEST' } });
    }
  });
});

describe('resource policies', () => {
  const policies = ['AWS::KMS::Key', 'AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'].flatMap((type) =>
    resourcesOf(template, type).flatMap(([id, { Properties }]) =>
      statementsOf(Properties.KeyPolicy ?? Properties.PolicyDocument).map((statement) => ({ id, statement })),
    ),
  );

  it('admit services on behalf of this account only', () => {
    const unbound = policies.filter(
      ({ statement: { Effect, Principal, Condition } }) =>
        Effect === 'Allow' &&
        JSON.stringify(Principal).includes('amazonaws.com') &&
        !/SourceAccount|SourceArn|EncryptionContext/.test(JSON.stringify(Condition ?? {})),
    );

    expect(unbound).toEqual([]);
  });

  it('give each statement of a topic a name of its own, without which SNS refuses the policy', () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::SNS::TopicPolicy')) {
      const names = statementsOf(Properties.PolicyDocument).map(({ Sid }) => Sid);
      expect(names).not.toContain(undefined);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('admit no service that never uses them', () => {
    const services = new Set(
      policies.flatMap(({ statement: { Principal } }) =>
        [...JSON.stringify(Principal ?? {}).matchAll(/"([a-z]+)\.[^"]*amazonaws\.com"/g)].map(
          ([, name]) => name,
        ),
      ),
    );

    expect([...services].sort()).toEqual(['cloudwatch', 'sns']);
  });

  it('let a role have a grant made on a key only by a service', () => {
    const granting = policies.filter(
      ({ statement: { Action, Principal } }) =>
        listOf(Action).includes('kms:CreateGrant') && JSON.stringify(Principal) === '{"AWS":"*"}',
    );

    expect(granting).toHaveLength(1);
    expect(granting[0]?.statement.Condition).toMatchObject({
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    });
  });

  it('and the trust of a role admit services on behalf of this account, where a service takes roles of others', () => {
    const trusts = resourcesOf(template, 'AWS::IAM::Role')
      .flatMap(([id, { Properties }]) =>
        statementsOf(Properties.AssumeRolePolicyDocument).map((statement) => ({ id, statement })),
      )
      .filter(({ statement }) => JSON.stringify(statement.Principal).includes('sns.amazonaws.com'));

    expect(trusts).toHaveLength(1);
    for (const { statement } of trusts) {
      expect(statement.Condition).toEqual({
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      });
    }
  });

  it('admit everybody only through a service and from this account, and otherwise only to refuse', () => {
    const open = policies.filter(
      ({ statement: { Effect, Principal, Condition } }) =>
        Effect === 'Allow' &&
        (Principal === '*' || JSON.stringify(Principal) === '{"AWS":"*"}') &&
        !JSON.stringify(Condition ?? {}).includes('kms:CallerAccount'),
    );

    expect(open).toEqual([]);
  });
});
