import { Aws, Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { type Permission, variableOf } from './environments.ts';
import { removalOf, stageOf } from './stage.ts';

/**
 * Returns the stack's only customer-managed key. The first call creates it. All roles of the account may use the key
 * through the services below, so what a role can read depends only on its own permissions on a table, queue or secret.
 */
export function serviceKey(scope: Construct): kms.Key {
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild('Encryption')?.node.findChild('Key');
  if (existing instanceof kms.Key) return existing;
  const key = new kms.Key(new Construct(stack, 'Encryption'), 'Key', {
    description: 'Encrypts tables, queues, topics, secrets and logs',
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: removalOf(stack),
  });
  acknowledgeToCheckov(key, {
    CKV_AWS_33: 'Any principal of this account only, and only through the services that are named',
  });
  const services = ['dynamodb', 'sqs', 'sns', 'secretsmanager'];
  const viaService = services.map((each) => `${each}.${Aws.REGION}.${Aws.URL_SUFFIX}`);
  const throughServices = { 'kms:CallerAccount': Aws.ACCOUNT_ID, 'kms:ViaService': viaService };
  const anybody = [new iam.AnyPrincipal()];
  const service = (name: string) => new iam.ServicePrincipal(`${name}.amazonaws.com`);
  const logs = `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*`;
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
      principals: [service('sns'), service('cloudwatch')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    },
    {
      sid: 'Logs',
      principals: [service(`logs.${Aws.REGION}`)],
      actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': logs } },
    },
  ];
  // In the policy of a key, the resource `*` means the key itself.
  for (const each of statements) {
    key.addToResourcePolicy(new iam.PolicyStatement({ ...each, resources: ['*'] }));
  }
  return key;
}

/** An encrypted log group with the stage's retention. Pass a name only if the service that writes to it requires it. */
export const serviceLogs = (scope: Construct, id: string, logGroupName?: string): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: stageOf(scope).logRetentionDays,
    encryptionKey: serviceKey(scope),
    removalPolicy: removalOf(scope),
  });

export interface ServiceSecretProps {
  readonly description: string;
  /** Whether the value is 64 random letters and digits. @default false: an operator stores a JSON object later */
  readonly isGenerated?: boolean;
}

/**
 * The settings that generate a secret's initial value must never change. If they did, CloudFormation would generate a
 * new value and overwrite the one that an operator has stored.
 */
export class ServiceSecret extends Secret {
  readonly read = { actions: ['secretsmanager:GetSecretValue'], resources: [this.secretArn] };

  constructor(scope: Construct, id: string, { description, isGenerated = false }: ServiceSecretProps) {
    super(scope, id, {
      description,
      encryptionKey: serviceKey(scope),
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        ...(!isGenerated && { secretStringTemplate: '{}', generateStringKey: 'not_set_yet' }),
      },
      removalPolicy: removalOf(scope),
    });
    acknowledge(this, {
      'AwsSolutions-SMG4':
        'Nothing can rotate it by itself: it belongs to another service or seals cursors; operators rotate it, and functions read it again after five minutes',
    });
  }

  /** Allows reading the secret. The function gets the secret's ARN in the environment variable `variable`. */
  readAs<Name extends string>(variable: Name): Permission<Name> {
    return { ...this.read, variables: variableOf(variable, this.secretArn) };
  }
}
