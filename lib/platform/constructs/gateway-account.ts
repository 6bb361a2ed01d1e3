import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceApi } from './service-api.ts';

/** Lets API Gateway write logs. An account has one such setting in a Region, and it remains when a stack is deleted. */
export function addGatewayAccount(scope: Construct, apis: readonly ServiceApi[]): void {
  const policy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';
  const role = new iam.Role(scope, 'Role', {
    assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName(policy)],
  });
  // The role is kept even if the first deployment fails: the account's setting, which all APIs use, refers to it.
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const account = new CfnAccount(scope, 'Account', { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  for (const { api } of apis) api.deploymentStage.node.addDependency(account);
  acknowledge(role, {
    [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`]:
      'API Gateway accepts an account role only with the permissions of this policy, on any log group of the account',
  });
}
