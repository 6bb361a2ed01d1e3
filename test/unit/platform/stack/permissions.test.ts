import { describe, expect, it } from 'vitest';
import { resourcesOf, templateOf } from '../../../support/platform/stack.ts';

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

describe('the IAM roles in the template', () => {
  it('allow SNS to write exactly its two delivery logs', () => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
      JSON.stringify(Properties.LogGroupName ?? '').includes('"sns/"'),
    );
    const statements = rolePolicies.filter(
      ({ statement }) =>
        groups.some(([id]) => JSON.stringify(statement.Resource).includes(`"${id}"`)) &&
        // The canary reads whether the logs are forwarded.
        !listOf(statement.Action).includes('logs:DescribeSubscriptionFilters'),
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

  it('contain no wildcard in an action', () => {
    const wild = rolePolicies.filter(({ statement }) =>
      listOf(statement.Action).some((action) => action.includes('*')),
    );

    expect(wild).toEqual([]);
  });

  it('allow all resources only for actions that cannot be limited to a resource', () => {
    const wild = rolePolicies.filter(
      ({ statement }) =>
        listOf(statement.Resource).includes('*') &&
        !listOf(statement.Action).every((action) => withoutResources.has(action)),
    );

    expect(wild).toEqual([]);
  });

  it('use a managed policy only where AWS requires it', () => {
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

  it('allow no deletion or change of a table itself', () => {
    const scans = rolePolicies.filter(({ statement }) =>
      listOf(statement.Action).some((action) => /DeleteTable|UpdateTable|PartiQL/.test(action)),
    );

    expect(scans).toEqual([]);
  });

  it("reveal by a failed condition only items that the role can read, and a few items without others' data", () => {
    // With `ReturnValuesOnConditionCheckFailure`, a write returns the item that its condition did not accept. No
    // condition key of IAM stops this: `dynamodb:ReturnValues` is about another parameter.
    const writes = /^dynamodb:(ConditionCheck|Delete|Put|Update)Item$/;
    const reads = /^dynamodb:(GetItem|BatchGetItem|Query|Scan)$/;
    const everything = ['(all)'];
    const keysOf = ({ Condition }: Statement): readonly string[] =>
      (Condition as { 'ForAllValues:StringLike'?: Record<string, string[]> } | undefined)?.[
        'ForAllValues:StringLike'
      ]?.['dynamodb:LeadingKeys'] ?? everything;
    const tableOf = (resource: unknown): string | undefined =>
      (resource as { 'Fn::GetAtt'?: [string] })['Fn::GetAtt']?.[0];

    const revealed = resourcesOf(template, 'AWS::IAM::Role').flatMap(([, { Properties }]) => {
      const statements = listOf(Properties.Policies as { PolicyDocument: unknown }[] | undefined).flatMap(
        ({ PolicyDocument }) => statementsOf(PolicyDocument),
      );
      const itemsOf = (actions: RegExp, isUsable: (statement: Statement) => boolean): string[] =>
        statements
          .filter((statement) => listOf(statement.Action).some((action) => actions.test(action)))
          .filter(isUsable)
          .flatMap((statement) =>
            listOf(statement.Resource).flatMap((resource) =>
              keysOf(statement).map((key) => `${tableOf(resource)} ${key}`),
            ),
          );
      const readable = itemsOf(
        reads,
        ({ Condition }) => !JSON.stringify(Condition ?? {}).includes('Attributes'),
      );
      const isReadable = (item: string) =>
        readable.includes(item) || readable.includes(item.replace(/ .*/, ` ${everything[0]}`));
      return itemsOf(writes, () => true)
        .filter((item) => !isReadable(item))
        .map((item) => `${Properties.Description} ${item.replace(/Table[0-9A-F]{8} /, ' ')}`);
    });

    expect([...new Set(revealed)].sort()).toEqual([
      // When a registration has ended, by its random id.
      'What functions/account/erase-user may do UserDataWallets ENDED#*',
      // Tokens, whose metadata is public. The role can change them anyway.
      'What functions/account/forget-users may do NftTablesNfts (all)',
      'What functions/nft/claim-token may do UserDataWallets ENDED#*',
      // Who had a token. The role reads from the tokens themselves who has it now.
      'What functions/nft/mint-token may do NftTablesTokenHistory (all)',
      'What functions/nft/mint-token may do UserDataWallets ENDED#*',
      'What functions/nft/revoke-token may do NftTablesTokenHistory (all)',
      // Collections: their metadata is public, and the ids of applications are no secret.
      'What functions/nft/run-waiter may do NftTablesContracts (all)',
      'What functions/nft/update-metadata-batch may do NftTablesTokenHistory (all)',
      'What functions/nft/update-token-metadata may do NftTablesTokenHistory (all)',
      // What this function itself writes: messages, which have no data, how their deliveries ended, and which failed.
      'What functions/notifications/record-notifications may do UserDataRecordNotifications MESSAGE#*',
      'What functions/notifications/record-notifications may do UserDataRecordNotifications SUBJECT#*',
      'What functions/notifications/record-notifications may do UserDataRecordNotifications UNDELIVERED#*',
      // How many tests an application has sent in a minute.
      'What functions/notifications/send-notifications may do UserDataRecordNotifications TESTS#*',
      // Copies of events, which the role can read, and the names of those who changed them.
      'What functions/ott/apply-schedules may do OttEvents CATEGORY#*',
      'What functions/ott/apply-schedules may do OttEvents HISTORY#*',
      'What functions/ott/edit-catalogue may do OttEvents CATEGORY#*',
      // How often each key has changed events.
      'What functions/ott/edit-catalogue may do OttEvents EDITS#*',
      'What functions/ott/void-token may do NftTablesTokenHistory (all)',
      // That a registration has ended, which names nobody.
      'What functions/users/exchange-user-subs may do UserDataApplicationUserSubs ENDED#*',
      'What functions/users/get-application-user-sub may do UserDataApplicationUserSubs ENDED#*',
      // Whose identifier it is: identifiers are random, and only their applications have them.
      'What functions/users/get-application-user-sub may do UserDataApplicationUserSubs SUB#*',
      'What functions/users/put-user-data may do UserDataApplicationUserSubs ENDED#*',
      'What functions/users/put-user-data may do UserDataApplicationUserSubs SUB#*',
      // Challenges, which have random ids and which only this function writes, and numbers of challenges.
      'What functions/wallets/create-wallet-challenge may do UserDataWallets CHALLENGE#*',
      'What functions/wallets/create-wallet-challenge may do UserDataWallets HOUR#*',
    ]);
  });

  it('allow only the function that signs streams to read the private key', () => {
    const [key] =
      resourcesOf(template, 'AWS::SecretsManager::Secret').find(([id]) => id.includes('SigningKey')) ?? [];
    const readers = resourcesOf(template, 'AWS::IAM::Role').filter(([, { Properties }]) =>
      JSON.stringify(Properties.Policies ?? []).includes(`"${key}"`),
    );

    expect(readers.map(([, { Properties }]) => Properties.Description)).toEqual([
      'What functions/ott/get-stream may do',
    ]);
  });

  it("allow the stream function to find and read a viewer's reserved tokens, but not to change them", () => {
    const [, role] =
      resourcesOf(template, 'AWS::IAM::Role').find(
        ([, { Properties }]) => Properties.Description === 'What functions/ott/get-stream may do',
      ) ?? [];
    const allowed = listOf(role?.Properties.Policies as { PolicyDocument: unknown }[] | undefined)
      .flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument))
      .flatMap(({ Action, Resource }) =>
        listOf<unknown>(Resource)
          .map((resource) => JSON.stringify(resource))
          .filter((resource) => resource.includes('NftTablesNfts'))
          .map((resource) => [Action, /\/index\/(\w+)/.exec(resource)?.[1]]),
      );

    expect(allowed).toEqual([
      ['dynamodb:Query', 'by_holder'],
      ['dynamodb:BatchGetItem', undefined],
    ]);
  });

  it('allow signing digests only', () => {
    const signing = rolePolicies.filter(({ statement }) => listOf(statement.Action).includes('kms:Sign'));

    expect(signing.length).toBeGreaterThan(0);
    for (const { statement } of signing) {
      expect(statement.Condition).toEqual({ StringEquals: { 'kms:MessageType': 'DIGEST' } });
    }
  });
});

describe('the resource policies in the template', () => {
  const policies = ['AWS::KMS::Key', 'AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'].flatMap((type) =>
    resourcesOf(template, type).flatMap(([id, { Properties }]) =>
      statementsOf(Properties.KeyPolicy ?? Properties.PolicyDocument).map((statement) => ({ id, statement })),
    ),
  );

  it('allow AWS services only on behalf of this account', () => {
    const unbound = policies.filter(
      ({ statement: { Effect, Principal, Condition } }) =>
        Effect === 'Allow' &&
        JSON.stringify(Principal).includes('amazonaws.com') &&
        !/SourceAccount|SourceArn|EncryptionContext/.test(JSON.stringify(Condition ?? {})),
    );

    expect(unbound).toEqual([]);
  });

  it('name each statement of a topic policy uniquely, which SNS requires', () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::SNS::TopicPolicy')) {
      const names = statementsOf(Properties.PolicyDocument).map(({ Sid }) => Sid);
      expect(names).not.toContain(undefined);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('allow only services that use the resource', () => {
    const services = new Set(
      policies.flatMap(({ statement: { Principal } }) =>
        [...JSON.stringify(Principal ?? {}).matchAll(/"([a-z]+)\.[^"]*amazonaws\.com"/g)].map(
          ([, name]) => name,
        ),
      ),
    );

    expect([...services].sort()).toEqual(['cloudwatch', 'sns']);
  });

  it('allow grants on a key only through an AWS service', () => {
    const granting = policies.filter(
      ({ statement: { Action, Principal } }) =>
        listOf(Action).includes('kms:CreateGrant') && JSON.stringify(Principal) === '{"AWS":"*"}',
    );

    expect(granting).toHaveLength(1);
    expect(granting[0]?.statement.Condition).toMatchObject({
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    });
  });

  it('and role trust admit SNS not for another account, and also if it names no account', () => {
    const trusts = resourcesOf(template, 'AWS::IAM::Role')
      .flatMap(([id, { Properties }]) =>
        statementsOf(Properties.AssumeRolePolicyDocument).map((statement) => ({ id, statement })),
      )
      .filter(({ statement }) => JSON.stringify(statement.Principal).includes('sns.amazonaws.com'));

    expect(trusts).toHaveLength(1);
    for (const { statement } of trusts) {
      expect(statement.Condition).toEqual({
        StringEqualsIfExists: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      });
    }
  });

  it('allow everybody only through a service of this account, or only to deny', () => {
    const open = policies.filter(
      ({ statement: { Effect, Principal, Condition } }) =>
        Effect === 'Allow' &&
        (Principal === '*' || JSON.stringify(Principal) === '{"AWS":"*"}') &&
        !JSON.stringify(Condition ?? {}).includes('kms:CallerAccount'),
    );

    expect(open).toEqual([]);
  });
});
