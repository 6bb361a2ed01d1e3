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

describe('identities', () => {
  it('word a denial as AWS does', () => {
    const identities = identitiesWith({ Effect: 'Allow', Action: 'dynamodb:Query', Resource: table });
    const { accessKeyId } = identities.credentialsFor(arn, 'get-contract');

    expect(identities.authorize({ accessKeyId, action: 'dynamodb:GetItem', resources: [table] })).toEqual({
      allowed: false,
      message: `User: arn:aws:sts::000000000000:assumed-role/app-reader/get-contract is not authorized to perform: dynamodb:GetItem on resource: ${table} because no identity-based policy allows the dynamodb:GetItem action`,
    });
  });

  it('allow everything to credentials that no role has', () => {
    const identities = identitiesWith({ Effect: 'Deny', Action: '*', Resource: '*' });

    expect(identities.authorize({ accessKeyId: 'test', action: 'kms:Sign', resources: ['*'] }).allowed).toBe(
      true,
    );
  });

  it('let a user do what its policy says, and remember what it asked for', () => {
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

  it('know keys by their tags', () => {
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

  it('let an explicit deny win', () => {
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

  it('obey a policy from the call after it was attached, and check its conditions at each call', () => {
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

  it('want every resource of a call to be allowed', () => {
    const identities = identitiesWith({ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table });

    expect(isAllowed(identities, 'dynamodb:PutItem', [table, `${table}-other`])).toBe(false);
  });

  it('match actions without case and with wildcards, resources with case', () => {
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

  it('except what NotAction and NotResource name', () => {
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
  ])('apply a statement under %j to %j: %s', (Condition, context, expected) => {
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
  ])('refuse a policy with %s that is not known', (_what, element, named) => {
    const statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table, ...element };

    expect(() => identitiesWith(statement)).toThrow(named);
  });
});
