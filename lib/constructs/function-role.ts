import * as iam from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface FunctionRoleProps {
  readonly description: string;
  readonly logGroup: ILogGroup;
}

/** One statement of what a role may do. */
export interface Allowance {
  readonly actions: string[];
  readonly resources: string[];
  readonly conditions?: iam.PolicyStatementProps['conditions'];
}

/**
 * The role of one function, with its policy inline: no function can start before its policy exists. Initially it may
 * only log and trace.
 */
export class FunctionRole extends Construct {
  readonly role: iam.IRole;
  private readonly policy = new iam.PolicyDocument();

  constructor(scope: Construct, id: string, { description, logGroup }: FunctionRoleProps) {
    super(scope, id);
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description,
      inlinePolicies: { calls: this.policy },
    });
    // Statements that the CDK would add by itself are written here, so that the whole policy is in one place.
    this.role = role.withoutPolicyUpdates();
    this.allow({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] });
    this.allow({ actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] });
  }

  allow(allowance: Allowance): void {
    this.policy.addStatements(new iam.PolicyStatement({ ...allowance }));
  }
}
