import { CfnParameter, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ConfiguredUrl } from '../../config/configured-url.ts';

/** The configured address itself, or a template parameter for it, declared once for the whole stack. */
export function configured(scope: Construct, value: ConfiguredUrl): string {
  if (typeof value === 'string') {
    return value;
  }
  const stack = Stack.of(scope);
  const declared = stack.node.tryFindChild(value.parameter);
  const parameter =
    declared instanceof CfnParameter
      ? declared
      : new CfnParameter(stack, value.parameter, {
          type: 'String',
          allowedPattern: '^https?://[^\\s]+[^/\\s]$',
          description: 'An address that is known only when the stack is deployed, without a slash at its end',
        });
  return parameter.valueAsString;
}
