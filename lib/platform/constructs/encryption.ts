import { Aws, Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { acknowledgeToCheckov } from './acknowledge.ts';
import { removalOf, stageOf } from './stage.ts';

/**
 * Returns the key of the stack's data. The first call creates it. All roles of the account may use the key
 * through the services below, so what a role can read depends only on its own permissions on a table, queue or secret.
 */
export function serviceKey(scope: Construct): kms.Key {
  return keyOf(scope, 'Encryption', 'Encrypts tables, queues, topics, secrets and logs', addDataStatements);
}

function addDataStatements(key: kms.Key): void {
  acknowledgeToCheckov(key, {
    CKV_AWS_33: 'Any principal of this account only, and only through the services that are named',
  });
  const services = ['dynamodb', 'sqs', 'sns', 'secretsmanager'];
  const viaService = services.map((each) => `${each}.${Aws.REGION}.${Aws.URL_SUFFIX}`);
  const throughServices = { 'kms:CallerAccount': Aws.ACCOUNT_ID, 'kms:ViaService': viaService };
  const anybody = [new iam.AnyPrincipal()];
  const service = (name: string) => new iam.ServicePrincipal(`${name}.amazonaws.com`);
  const statements: iam.PolicyStatementProps[] = [
    {
      sid: 'ThroughServices',
      principals: anybody,
      actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
      conditions: { StringEquals: throughServices },
    },
    {
      // An AWS service that uses the key in the background needs a grant. Services can create grants, but roles cannot.
      sid: 'GrantsForServices',
      principals: anybody,
      actions: ['kms:CreateGrant'],
      conditions: { StringEquals: throughServices, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    },
    {
      sid: 'Publishers',
      principals: [service('sns')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    },
    forLogs(),
  ];
  // In the policy of a key, the resource `*` means the key itself.
  for (const each of statements) {
    key.addToResourcePolicy(new iam.PolicyStatement({ ...each, resources: ['*'] }));
  }
}

/** Lets CloudWatch Logs use a key for the log groups of this account and Region. */
const forLogs = (): iam.PolicyStatementProps => ({
  sid: 'Logs',
  principals: [new iam.ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
  actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
  conditions: {
    ArnLike: {
      'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*`,
    },
  },
});

/**
 * Returns the key of the topics of alarms and of the canary's log. The first call creates it. It is not the key of the
 * data: when that key is disabled, an alarm must arrive, and the log must say why.
 */
export function alarmKey(scope: Construct): kms.Key {
  return keyOf(scope, 'AlarmEncryption', 'Encrypts the topics of alarms and the log of the canary', (key) => {
    key.addToResourcePolicy(new iam.PolicyStatement({ ...forLogs(), resources: ['*'] }));
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'Publishers',
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
  });
}

/**
 * Returns the key in the stack's construct `id`. The first call creates the key and adds the statements of its policy.
 */
function keyOf(
  scope: Construct,
  id: string,
  description: string,
  addStatements: (key: kms.Key) => void,
): kms.Key {
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild(id)?.node.findChild('Key');
  if (existing instanceof kms.Key) return existing;
  const key = new kms.Key(new Construct(stack, id), 'Key', {
    description,
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: removalOf(stack),
  });
  addStatements(key);
  protectKey(key);
  return key;
}

/**
 * On a protected stage, nobody can disable the key or schedule its deletion without changing its policy first. The
 * policy itself can be changed: KMS refuses a policy that whoever writes it could not change again.
 */
export function protectKey(key: kms.Key): void {
  if (!stageOf(key).protected) return;
  key.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'Protected',
      effect: iam.Effect.DENY,
      principals: [new iam.AnyPrincipal()],
      actions: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'],
      resources: ['*'],
    }),
  );
}
