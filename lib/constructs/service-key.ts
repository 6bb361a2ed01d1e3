import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledgeToCheckov } from './acknowledge.ts';

/**
 * The one customer-managed key of a stack, for tables, queues, topics, secrets and logs.
 *
 * Its policy admits the account's own roles when they come through one of those services, so that what a role may
 * read is decided by its permission on the table, queue or secret alone and not twice.
 */
export class ServiceKey extends Construct {
  readonly key: kms.Key;

  private constructor(scope: Construct, id: string, { retainData }: StageConfig) {
    super(scope, id);
    this.key = new kms.Key(this, 'Key', {
      description: 'Encrypts tables, queues, topics, secrets and logs',
      enableKeyRotation: true,
      pendingWindow: Duration.days(30),
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acknowledgeToCheckov(this.key, {
      CKV_AWS_33: 'Any principal of this account only, and only through the services that are named',
    });
    const use = [
      'kms:Encrypt',
      'kms:Decrypt',
      'kms:ReEncrypt*',
      'kms:GenerateDataKey*',
      'kms:DescribeKey',
      'kms:CreateGrant',
    ];
    this.admit({
      sid: 'ThroughServices',
      principals: [new iam.AnyPrincipal()],
      actions: use,
      conditions: {
        StringEquals: {
          'kms:CallerAccount': Aws.ACCOUNT_ID,
          'kms:ViaService': ['dynamodb', 'sqs', 'sns', 'secretsmanager'].map(
            (service) => `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}`,
          ),
        },
      },
    });
    this.admit({
      sid: 'Publishers',
      principals: [
        new iam.ServicePrincipal('sns.amazonaws.com'),
        new iam.ServicePrincipal('cloudwatch.amazonaws.com'),
        new iam.ServicePrincipal('events.amazonaws.com'),
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

  /** The stack's key; the first that asks makes it. */
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
