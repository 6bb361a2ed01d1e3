import { Aws, Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledgeToCheckov } from './acknowledge.ts';
import { removalOf } from './removal.ts';

/**
 * The one customer-managed key of a stack, for tables, queues, topics, secrets and logs.
 *
 * Its policy admits the account's own roles when they come through one of those services, so a role's permission on the
 * table, queue or secret alone decides what it may read.
 */
export class ServiceKey extends Construct {
  readonly key: kms.Key;

  private constructor(scope: Construct, id: string, stage: StageConfig) {
    super(scope, id);
    this.key = new kms.Key(this, 'Key', {
      description: 'Encrypts tables, queues, topics, secrets and logs',
      enableKeyRotation: true,
      pendingWindow: Duration.days(30),
      removalPolicy: removalOf(stage),
    });
    acknowledgeToCheckov(this.key, {
      CKV_AWS_33: 'Any principal of this account only, and only through the services that are named',
    });
    const use = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];
    const throughServices = {
      'kms:CallerAccount': Aws.ACCOUNT_ID,
      'kms:ViaService': ['dynamodb', 'sqs', 'sns', 'secretsmanager'].map(
        (service) => `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      ),
    };
    this.admit({
      sid: 'ThroughServices',
      principals: [new iam.AnyPrincipal()],
      actions: use,
      conditions: { StringEquals: throughServices },
    });
    this.admit({
      // A service asks for a grant of its own for work without a waiting caller; a role may not create one for itself.
      sid: 'GrantsForServices',
      principals: [new iam.AnyPrincipal()],
      actions: ['kms:CreateGrant'],
      conditions: { StringEquals: throughServices, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    });
    this.admit({
      sid: 'Publishers',
      principals: [
        new iam.ServicePrincipal('sns.amazonaws.com'),
        new iam.ServicePrincipal('cloudwatch.amazonaws.com'),
      ],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    });
    this.admit({
      sid: 'Logs',
      principals: [new iam.ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
      actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*`,
        },
      },
    });
  }

  /** The stack's key; the first request creates it. */
  static of(scope: Construct, stage: StageConfig): kms.Key {
    const stack = Stack.of(scope);
    const existing = stack.node.tryFindChild('Encryption');
    return (existing instanceof ServiceKey ? existing : new ServiceKey(stack, 'Encryption', stage)).key;
  }

  /** In a key's own policy `*` is this key. */
  private admit(statement: iam.PolicyStatementProps): void {
    this.key.addToResourcePolicy(new iam.PolicyStatement({ ...statement, resources: ['*'] }));
  }
}
