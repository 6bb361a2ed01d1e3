import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Says why a rule of cdk-nag does not hold for a construct and what is under it.
 * The keys are rule ids (`AwsSolutions-IAM5[Resource::*]` for one finding of a rule), the values the reasons.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}
