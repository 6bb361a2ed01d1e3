import { describe, expect, it } from 'vitest';
import { createIdentities } from '../../engines/iam/engine.ts';
import type { Identities } from '../../engines/iam/types.ts';

const arn = 'arn:aws:iam::000000000000:role/app-reader';
const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/contracts';

const identitiesWith = (...statements: unknown[]): Identities => {
  const identities = createIdentities();
  identities.registerRole({ arn, name: 'app-reader', trusts: ['lambda.amazonaws.com'] });
  identities.attachPolicy('app-reader', { Version: '2012-10-17', Statement: statements });
  return identities;
};

const isAllowed = (
  identities: Identities,
  action: string,
  resources: readonly string[] = [table],
  context?: Readonly<Record<string, readonly string[]>>,
): boolean => {
  const { accessKeyId } = identities.credentialsFor(arn, 'get-contract');
  return identities.authorize({ accessKeyId, action, resources, ...(context && { context }) }).allowed;
};

describe('the check of IAM permissions', () => {
  it('words a denial as AWS does', () => {
    const identities = identitiesWith({ Effect: 'Allow', Action: 'dynamodb:Query', Resource: table });
    const { accessKeyId } = identities.credentialsFor(arn, 'get-contract');

    expect(identities.authorize({ accessKeyId, action: 'dynamodb:GetItem', resources: [table] })).toEqual({
      allowed: false,
      message: `User: arn:aws:sts::000000000000:assumed-role/app-reader/get-contract is not authorized to perform: dynamodb:GetItem on resource: ${table} because no identity-based policy allows the dynamodb:GetItem action`,
    });
  });

  it('allows everything for credentials without a role', () => {
    const identities = identitiesWith({ Effect: 'Deny', Action: '*', Resource: '*' });

    expect(identities.authorize({ accessKeyId: 'test', action: 'kms:Sign', resources: ['*'] }).allowed).toBe(
      true,
    );
  });

  it("allows a user what its policy allows, and records the user's requests", () => {
    const identities = createIdentities();
    const policy = {
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table },
    };
    const { accessKeyId } = identities.createUser({ name: 'ann', policy });
    const ask = (action: string) => identities.authorize({ accessKeyId, action, resources: [table] });

    expect(ask('dynamodb:GetItem')).toEqual({ allowed: true });
    expect(ask('dynamodb:Query')).toEqual({
      allowed: false,
      message: `User: arn:aws:iam::000000000000:user/ann is not authorized to perform: dynamodb:Query on resource: ${table} because no identity-based policy allows the dynamodb:Query action`,
    });
    expect(identities.requestsOf(accessKeyId)).toEqual([
      { action: 'dynamodb:GetItem', resources: [table], isAllowed: true },
      { action: 'dynamodb:Query', resources: [table], isAllowed: false },
    ]);
    expect(identities.requestsOf('test')).toEqual([]);
  });

  it('evaluates conditions on the tags of a key', () => {
    const identities = identitiesWith({
      Effect: 'Allow',
      Action: 'kms:Sign',
      Resource: '*',
      Condition: { StringEquals: { 'aws:ResourceTag/stage': 'prod' } },
    });
    const sign = (stage: string) =>
      isAllowed(identities, 'kms:Sign', ['arn:aws:kms:us-east-1:000000000000:key/1'], {
        'aws:ResourceTag/stage': [stage],
      });

    expect([sign('prod'), sign('staging')]).toEqual([true, false]);
  });

  it('lets an explicit deny override an allow', () => {
    const identities = identitiesWith(
      { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' },
      { Effect: 'Deny', Action: 'dynamodb:DeleteItem', Resource: `${table}*` },
    );
    const { accessKeyId } = identities.credentialsFor(arn, 'fn');

    expect(isAllowed(identities, 'dynamodb:PutItem')).toBe(true);
    expect(
      identities.authorize({ accessKeyId, action: 'dynamodb:DeleteItem', resources: [table] }),
    ).toMatchObject({
      allowed: false,
      message: expect.stringContaining('with an explicit deny in an identity-based policy'),
    });
  });

  it('applies a policy from the moment it is attached, and evaluates its conditions at each call', () => {
    const identities = identitiesWith({ Effect: 'Allow', Action: 'dynamodb:Query', Resource: table });
    const mayGet = (enclosing: string) =>
      isAllowed(identities, 'dynamodb:GetItem', [table], { 'dynamodb:EnclosingOperation': [enclosing] });
    const attach = (statement: object) =>
      identities.attachPolicy('app-reader', { Version: '2012-10-17', Statement: statement });
    expect(mayGet('TransactGetItems')).toBe(false);

    attach({
      Effect: 'Allow',
      Action: 'dynamodb:GetItem',
      Resource: table,
      Condition: { StringEquals: { 'dynamodb:EnclosingOperation': 'TransactGetItems' } },
    });
    expect(mayGet('TransactGetItems')).toBe(true);
    expect(mayGet('TransactWriteItems')).toBe(false);

    attach({ Effect: 'Deny', Action: 'dynamodb:GetItem', Resource: table });
    expect(mayGet('TransactGetItems')).toBe(false);
  });

  it('requires that every resource of a call is allowed', () => {
    const identities = identitiesWith({ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table });

    expect(isAllowed(identities, 'dynamodb:PutItem', [table, `${table}-other`])).toBe(false);
  });

  it('ignores case and expands wildcards in actions, but respects case in resources', () => {
    const identities = identitiesWith({
      Effect: 'Allow',
      Action: 'dynamodb:Get*',
      Resource: `${table}/index/?y`,
    });

    expect(isAllowed(identities, 'dynamodb:getitem', [`${table}/index/by`])).toBe(true);
    expect(isAllowed(identities, 'dynamodb:GetItem', [`${table}/index/By2`])).toBe(false);
    expect(
      isAllowed(identities, 'dynamodb:GetItem', [`${table.replace('contracts', 'Contracts')}/index/by`]),
    ).toBe(false);
  });

  it('excludes what NotAction and NotResource name', () => {
    const identities = identitiesWith({ Effect: 'Allow', NotAction: 'dynamodb:*', NotResource: table });

    expect(isAllowed(identities, 'kms:Sign', [`${table}2`])).toBe(true);
    expect(isAllowed(identities, 'kms:Sign', [table])).toBe(false);
    expect(isAllowed(identities, 'dynamodb:GetItem', [`${table}2`])).toBe(false);
  });

  it.each([
    [{ StringEquals: { 'kms:MessageType': 'DIGEST' } }, { 'kms:MessageType': ['DIGEST'] }, true],
    [{ StringEquals: { 'kms:MessageType': 'DIGEST' } }, { 'kms:MessageType': ['RAW'] }, false],
    [{ StringEquals: { 'kms:MessageType': 'DIGEST' } }, {}, false],
    [{ StringEqualsIfExists: { 'kms:MessageType': 'DIGEST' } }, {}, true],
    [{ StringNotEquals: { 'kms:MessageType': 'DIGEST' } }, {}, true],
    [
      { StringLike: { 'kms:ViaService': 'sns.*.amazonaws.com' } },
      { 'kms:ViaService': ['sns.x.amazonaws.com'] },
      true,
    ],
    [{ Bool: { 'aws:SecureTransport': false } }, {}, false],
    [{ Null: { 'aws:SourceArn': 'true' } }, {}, true],
    [
      { ArnLike: { 'aws:SourceArn': 'arn:aws:sns:*:*:a*' } },
      { 'aws:SourceArn': ['arn:aws:sns:x:1:abc'] },
      true,
    ],
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:sns:*' } }, { 'aws:SourceArn': ['arn:aws:sns:x:1:abc'] }, false],
    [
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['a', 'b'] } },
      { 'dynamodb:LeadingKeys': ['a', 'b', 'a'] },
      true,
    ],
    [
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['a'] } },
      { 'dynamodb:LeadingKeys': ['a', 'c'] },
      false,
    ],
    [
      { 'ForAnyValue:StringLike': { 'dynamodb:Attributes': ['x*'] } },
      { 'dynamodb:Attributes': ['a', 'xy'] },
      true,
    ],
  ])('evaluates the condition %j for the context %j as %s', (Condition, context, expected) => {
    const identities = identitiesWith({ Effect: 'Allow', Action: 'kms:Sign', Resource: '*', Condition });

    expect(isAllowed(identities, 'kms:Sign', [table], context as Record<string, string[]>)).toBe(expected);
  });

  it.each([
    ['an operator', { Condition: { DateGreaterThan: { 'aws:SourceArn': 'x' } } }, 'DateGreaterThan'],
    ['a condition key', { Condition: { StringEquals: { 'aws:TagKeys': 'x' } } }, 'aws:TagKeys'],
    ['an element', { Principal: '*' }, 'Principal'],
    ['an action', { Action: 'GetItem' }, 'GetItem'],
    ['a resource', { Resource: 'contracts' }, 'contracts'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how IAM writes a variable
    ['a policy variable', { Resource: 'arn:aws:s3:::a/${aws:username}' }, 'aws:username'],
  ])('rejects a policy with %s that is not supported', (_what, element, named) => {
    const statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table, ...element };

    expect(() => identitiesWith(statement)).toThrow(named);
  });
});
