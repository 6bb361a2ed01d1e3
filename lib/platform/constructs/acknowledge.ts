import { CfnResource, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Rule ids. Each id maps to the reason why the rule does not apply. */
export type Reasons = Readonly<Record<string, string>>;

/**
 * States why rules of cdk-nag do not apply to a construct and its children. The ids are the ones in cdk-nag's report.
 * An id can name a single finding of a rule, such as `AwsSolutions-IAM5[Resource::*]`.
 */
export function acknowledge(construct: IConstruct, reasons: Reasons): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}

/** Writes into the template why rules of Checkov do not apply to a construct's own resource. */
export function acknowledgeToCheckov(construct: IConstruct, reasons: Reasons): void {
  const resource = construct.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) {
    throw new Error(`${construct.node.path} has no resource of its own`);
  }
  const { skip = [] } = (resource.getMetadata('checkov') ?? {}) as { skip?: unknown[] };
  resource.addMetadata('checkov', {
    skip: [...skip, ...Object.entries(reasons).map(([id, comment]) => ({ id, comment }))],
  });
}
