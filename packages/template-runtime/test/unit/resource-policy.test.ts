import { describe, expect, it } from 'vitest';
import { policyAdmitsService } from '../../engines/iam/resource-policy.ts';
import { resourcePolicy } from '../../resources/resource-policy.ts';

const queue = 'arn:aws:sqs:us-east-1:000000000000:dead-letters';
const statement = (overrides: Record<string, unknown> = {}) => ({
  Effect: 'Allow',
  Principal: { Service: 'sns.amazonaws.com' },
  Action: 'sqs:SendMessage',
  Resource: queue,
  ...overrides,
});
const policy = (...statements: unknown[]) => ({ Version: '2012-10-17', Statement: statements });

describe('the policy of a resource', () => {
  it.each([
    ['an unknown element', statement({ NotPrincipal: '*' })],
    ['an unknown kind of principal', statement({ Principal: { Federated: 'x' } })],
    ['an unknown condition operator', statement({ Condition: { DateLessThan: { 'aws:CurrentTime': 'x' } } })],
    ['no action', statement({ Action: undefined })],
  ])('is rejected with %s', (_, wrong) => {
    expect(resourcePolicy.safeParse(policy(wrong)).success).toBe(false);
  });

  it('is accepted in the form that the CDK writes', () => {
    const taken = policy(
      statement({ Sid: 'Topic', Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:sns:x' } } }),
      statement({ Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sqs:*' }),
    );

    expect(resourcePolicy.safeParse(taken).success).toBe(true);
  });
});

describe('access of a service by a resource policy', () => {
  const admits = (document: unknown) =>
    policyAdmitsService({
      policy: document,
      service: 'sns.amazonaws.com',
      action: 'sqs:SendMessage',
      resource: queue,
      context: { 'aws:SourceArn': 'arn:aws:sns:us-east-1:000000000000:news' },
    });

  it('is allowed by a matching statement', () => {
    expect(admits(policy(statement()))).toBe(true);
    expect(admits(policy(statement({ Principal: '*' })))).toBe(true);
  });

  it.each([
    ['is about another service', statement({ Principal: { Service: 'events.amazonaws.com' } })],
    ['is about another action', statement({ Action: 'sqs:ReceiveMessage' })],
    ['is about another queue', statement({ Resource: `${queue}-2` })],
    [
      'is about another source',
      statement({
        Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:sns:us-east-1:000000000000:other' } },
      }),
    ],
  ])('is denied when the only statement %s', (_, only) => {
    expect(admits(policy(only))).toBe(false);
  });

  it('is denied by a statement that denies everyone', () => {
    expect(admits(policy(statement(), statement({ Effect: 'Deny', Principal: { AWS: '*' } })))).toBe(false);
  });
});
