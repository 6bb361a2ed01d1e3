import * as z from 'zod';
import { parseCondition } from '../engines/iam/conditions.ts';
import { conditionBlock, oneOrMore } from '../engines/iam/policy.ts';
import { physicalName } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const trustStatement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.literal('Allow'),
  Action: z.literal('sts:AssumeRole'),
  Principal: z.strictObject({ Service: oneOrMore.optional(), AWS: oneOrMore.optional() }),
  Condition: conditionBlock.optional(),
});

const managedPolicies: Readonly<Record<string, readonly string[]>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': [
    'logs:CreateLogGroup',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
  ],
  'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs': [
    'logs:CreateLogGroup',
    'logs:CreateLogStream',
    'logs:DescribeLogGroups',
    'logs:DescribeLogStreams',
    'logs:PutLogEvents',
    'logs:GetLogEvents',
    'logs:FilterLogEvents',
  ],
};

export const iamRole = resourceType({
  type: 'AWS::IAM::Role',
  properties: z.strictObject({
    AssumeRolePolicyDocument: z.strictObject({
      Version: z.literal('2012-10-17'),
      Statement: z.array(trustStatement),
    }),
    Description: z.string().optional(),
    ManagedPolicyArns: z.array(z.string()).default([]),
    MaxSessionDuration: z.number().optional(),
    Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: z.unknown() })).default([]),
    RoleName: z.string().optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, context) => {
    const { identities } = context.engines;
    const name = properties.RoleName ?? physicalName(context, 64);
    const arn = `arn:aws:iam::${context.accountId}:role/${name}`;
    const statements = properties.AssumeRolePolicyDocument.Statement;
    identities.registerRole({
      arn,
      name,
      trusts: statements.flatMap(({ Principal, Condition }) => {
        const holds = parseCondition(Condition ?? {});
        return (Principal.Service ?? []).map((service) => ({ service, holds }));
      }),
    });
    for (const managed of properties.ManagedPolicyArns) {
      const actions = managedPolicies[managed];
      if (actions === undefined)
        throw new Error(`the local runtime does not support the managed policy ${managed}`);
      identities.attachPolicy(name, {
        Version: '2012-10-17',
        Statement: { Effect: 'Allow', Action: actions, Resource: '*' },
      });
    }
    for (const { PolicyName, PolicyDocument } of properties.Policies) {
      identities.attachPolicy(name, PolicyDocument, PolicyName);
    }
    return { ref: name, attributes: { Arn: arn, RoleId: `AROA${name}` } };
  },
});
