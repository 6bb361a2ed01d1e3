import { CfnResource, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Rule ids, each with the reason why the rule does not apply. */
export type Reasons = Readonly<Record<string, string>>;

/**
 * States why a rule of cdk-nag does not apply to a construct and its children. The ids are those of the report:
 * `AwsSolutions-IAM5[Resource::*]` is one finding of a rule.
 */
export function acknowledge(construct: IConstruct, reasons: Reasons): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}

/** States in the template why a rule of Checkov does not apply to a construct's own resource. */
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
