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
  ])('is refused with %s', (_, wrong) => {
    expect(resourcePolicy.safeParse(policy(wrong)).success).toBe(false);
  });

  it('is taken as CDK writes it', () => {
    const taken = policy(
      statement({ Sid: 'Topic', Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:sns:x' } } }),
      statement({ Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sqs:*' }),
    );

    expect(resourcePolicy.safeParse(taken).success).toBe(true);
  });
});

describe('a service', () => {
  const admits = (document: unknown) =>
    policyAdmitsService({
      policy: document,
      service: 'sns.amazonaws.com',
      action: 'sqs:SendMessage',
      resource: queue,
      context: { 'aws:SourceArn': 'arn:aws:sns:us-east-1:000000000000:news' },
    });

  it('is admitted by a statement about it', () => {
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
  ])('is not admitted when the only statement %s', (_, only) => {
    expect(admits(policy(only))).toBe(false);
  });

  it('is refused by a denial for everyone', () => {
    expect(admits(policy(statement(), statement({ Effect: 'Deny', Principal: { AWS: '*' } })))).toBe(false);
  });
});
