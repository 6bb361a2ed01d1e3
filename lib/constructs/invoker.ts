import { Lazy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { MarqueeFunction } from './marquee-function.ts';

/**
 * The role with which one API invokes its functions. It takes the place of a permission for each function: a stack has
 * room for 500 resources.
 */
export class Invoker extends Construct {
  readonly role: iam.IRole;
  private readonly functionArns = new Set<string>();

  constructor(scope: Construct, id: string, { name }: { readonly name: string }) {
    super(scope, id);
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
      description: `Lets the API ${name} invoke its functions`,
      inlinePolicies: {
        invoke: new iam.PolicyDocument({
          statements: [
            new iam.PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: Lazy.list({ produce: () => [...this.functionArns] }),
            }),
          ],
        }),
      },
    });
    this.role = role.withoutPolicyUpdates();
  }

  allow({ function: invoked }: MarqueeFunction): void {
    this.functionArns.add(invoked.functionArn);
  }
}
