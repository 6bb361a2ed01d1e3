import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceKey } from './service-key.ts';

/** An encrypted topic that the alarms of this account and Region may publish to, over TLS only. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id, { masterKey: ServiceKey.of(scope, stage), enforceSSL: true });
    // Denying plain text gives the topic a policy in place of SNS's own, which shuts out CloudWatch, because CloudWatch
    // publishes as a service and not as the account.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`,
          },
        },
      }),
    );
  }
}
