import { readFileSync } from 'node:fs';
import { createIdentities } from 'template-runtime/engines/iam/engine.ts';
import { describe, expect, it } from 'vitest';
import { type GuidePolicy, guidePolicy, lessOneAction } from '../../support/platform/guide-policy.ts';

const region = 'eu-central-1';
const account = '000000000000';
const values = { ACCOUNT: account, REGION: region, STAGE: 'prod' };
const policies = {
  deploying: guidePolicy('The policy for deploying', values),
  commandLine: guidePolicy('The policy for the command line', values),
  setup: guidePolicy('The policy for setting up and repair', values),
};

type Need = readonly [action: string, resource: string];
const on =
  (resource: string) =>
  (...actions: readonly string[]): readonly Need[] =>
    actions.map((action) => [action, resource]);
const onStack = on(`arn:aws:cloudformation:${region}:${account}:stack/Marquee-prod/1`);
const onTable = on(`arn:aws:dynamodb:${region}:${account}:table/Marquee-prod-Users-1`);
const onSecret = on(`arn:aws:secretsmanager:${region}:${account}:secret:ChainSecret-1`);
const onKey = on(`arn:aws:kms:${region}:${account}:key/mrk-1`);
const onMapping = on(`arn:aws:lambda:${region}:${account}:event-source-mapping:1`);
const onFunction = on(`arn:aws:lambda:${region}:${account}:function:Marquee-prod-Publisher-1`);
const onAnything = on('*');

/**
 * Each `aws` command of the two pages, with the actions that it needs (Service Authorization Reference). Administrators
 * create policies, tag keys, import into stacks, delete logs and look after associations of web ACLs, and every caller may
 * ask who it is.
 */
const commands: Readonly<Record<string, readonly Need[]>> = {
  'apigateway create-base-path-mapping': on(
    `arn:aws:apigateway:${region}::/domainnames/api.example.com/basepathmappings`,
  )('apigateway:POST'),
  'cloudformation create-change-set': [],
  'cloudformation describe-stack-events': onStack('cloudformation:DescribeStackEvents'),
  'cloudformation execute-change-set': [],
  'cloudformation list-change-sets': onStack('cloudformation:ListChangeSets'),
  'cloudformation list-stack-resources': onStack('cloudformation:ListStackResources'),
  'cloudformation update-termination-protection': onStack('cloudformation:UpdateTerminationProtection'),
  'cloudformation wait': [],
  'cloudfront create-distribution': onAnything('cloudfront:CreateDistribution'),
  'cloudfront create-function': onAnything('cloudfront:CreateFunction'),
  'cloudfront publish-function': onAnything('cloudfront:PublishFunction'),
  'cloudtrail lookup-events': onAnything('cloudtrail:LookupEvents'),
  'dynamodb describe-table': onTable('dynamodb:DescribeTable'),
  'dynamodb update-table': onTable('dynamodb:UpdateTable'),
  'events enable-rule': on(`arn:aws:events:${region}:${account}:rule/Marquee-prod-Schedule-1`)(
    'events:EnableRule',
  ),
  'iam create-policy': [],
  'kms cancel-key-deletion': onKey('kms:CancelKeyDeletion'),
  'kms enable-key': onKey('kms:EnableKey'),
  'kms replicate-key': [
    ...onKey('kms:ReplicateKey'),
    ...on(`arn:aws:kms:us-east-1:${account}:key/mrk-1`)('kms:CreateKey'),
  ],
  'kms tag-resource': [],
  'lambda delete-function-concurrency': onFunction('lambda:DeleteFunctionConcurrency'),
  'lambda get-event-source-mapping': onMapping('lambda:GetEventSourceMapping'),
  'lambda get-function-concurrency': onFunction('lambda:GetFunctionConcurrency'),
  'lambda update-event-source-mapping': onMapping('lambda:UpdateEventSourceMapping'),
  'logs delete-log-group': [],
  'logs describe-resource-policies': onAnything('logs:DescribeResourcePolicies'),
  'logs put-subscription-filter': ['', ':log-stream:'].flatMap((end) =>
    on(`arn:aws:logs:${region}:${account}:log-group:sns/${region}/${account}/Marquee-prod-Topic-1${end}`)(
      'logs:PutSubscriptionFilter',
    ),
  ),
  'sns subscribe': on(`arn:aws:sns:${region}:${account}:Marquee-prod-Alarms-1`)('sns:Subscribe'),
  'sts get-caller-identity': [],
  'wafv2 associate-web-acl': [],
  'wafv2 get-web-acl-for-resource': [],
};

/**
 * The operator commands that are tried with this policy on the local system. DynamoDB writes and reads the table into which
 * it restores as the caller ("Using IAM with DynamoDB backup and restore").
 */
const operatorCommands: readonly Need[] = [
  ...onTable(
    ...[
      'BatchGetItem',
      'BatchWriteItem',
      'ConditionCheckItem',
      'DeleteItem',
      'DescribeTable',
      'GetItem',
      'PutItem',
      'Query',
      'RestoreTableToPointInTime',
      'Scan',
      'UpdateItem',
    ].map((each) => `dynamodb:${each}`),
  ),
  ...onStack('cloudformation:ListStackResources'),
  ...on(`arn:aws:sqs:${region}:${account}:Marquee-prod-Unfinished-1`)(
    'sqs:ChangeMessageVisibility',
    'sqs:DeleteMessage',
    'sqs:ReceiveMessage',
    'sqs:SendMessage',
  ),
];
const rotation: readonly Need[] = [
  ...on(`arn:aws:wafv2:${region}:${account}:regional/webacl/BaseFirewallAcl-1/1`)(
    'wafv2:GetWebACL',
    'wafv2:UpdateWebACL',
  ),
  ...on(`arn:aws:wafv2:${region}:${account}:regional/managedruleset/*/*`)('wafv2:UpdateWebACL'),
];
const secrets: readonly Need[] = [
  ...onStack('cloudformation:DescribeStacks'),
  ...onSecret('secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'),
];

const tagged = (stage: string) => ({
  'aws:ResourceTag/service': ['marquee'],
  'aws:ResourceTag/stage': [stage],
  'kms:MessageType': ['DIGEST'],
});

const allows = (policy: GuidePolicy, needs: readonly Need[], stage = 'prod'): boolean => {
  const identities = createIdentities();
  const { accessKeyId } = identities.createUser({ name: 'somebody', policy });
  return needs.every(
    ([action, resource]) =>
      identities.authorize({ accessKeyId, action, resources: [resource], context: tagged(stage) }).allowed,
  );
};

const pages = ['operator-guide.md', 'events.md', 'policies.md', 'stage-file.md', 'runbook.md'].map((page) =>
  readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8'),
);
const written = new Set(
  pages.flatMap((page) =>
    [...page.matchAll(/\baws\s+([a-z\d]+)\s+([a-z-]+)/g)].map(
      ([, service, operation]) => `${service} ${operation}`,
    ),
  ),
);

describe('the IAM policies in the operator guide', () => {
  it('are tested with every `aws` command of the guide and the runbook', () => {
    expect([...written].sort()).toEqual(Object.keys(commands).sort());
  });

  it.each(Object.entries(commands))('allow `aws %s` in at least one policy', (_, needs) => {
    expect(Object.values(policies).some((policy) => allows(policy, needs))).toBe(true);
  });

  it('do not allow access to the secrets and keys of another stage', () => {
    expect(allows(policies.setup, secrets)).toBe(true);
    for (const need of [
      ...secrets.slice(1),
      ...rotation.slice(0, 2),
      ...(commands['kms replicate-key'] ?? []).slice(0, 1),
    ]) {
      expect({ need, isAllowed: allows(policies.setup, [need], 'staging') }).toEqual({
        need,
        isAllowed: false,
      });
    }
  });

  it.each(lessOneAction(policies.setup))(
    'for setup and repair contain no superfluous permission, such as $action',
    ({ policy }) => {
      const steps = [secrets, rotation, operatorCommands, ...Object.values(commands)];
      const allowed = steps.filter((needs) => allows(policies.setup, needs));

      expect(allowed.every((needs) => allows(policy, needs))).toBe(false);
    },
  );
});
