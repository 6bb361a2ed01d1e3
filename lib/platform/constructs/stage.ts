import { CfnParameter, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ConfiguredUrl } from '../../../config/configured-url.ts';
import type { ConfiguredOrigins } from '../../../config/ott.ts';
import type { StageConfig } from '../../../config/stage.ts';
import { metricsNamespaceOf } from '../../../shared/platform/watched.ts';

/** A stack with the settings of its stage, which every construct in the stack can read. */
export abstract class StageStack extends Stack {
  abstract readonly stage: StageConfig;
}

export function stageOf(scope: Construct): StageConfig {
  const stack = Stack.of(scope);
  if (!(stack instanceof StageStack)) throw new Error(`${stack.node.path} is not a stage`);
  return stack.stage;
}

export const metricsNamespace = (scope: Construct): string => metricsNamespaceOf(stageOf(scope).name);

/**
 * Keeps a resource after it has been removed from the stack, but deletes it if the deployment that created it fails. So
 * after a rollback there are no names that would conflict with the next deployment, and no empty tables or unused keys.
 */
export const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** The removal policy of the stage's data, keys and logs. */
export const removalOf = (scope: Construct): RemovalPolicy =>
  stageOf(scope).retainData ? kept : RemovalPolicy.DESTROY;

/**
 * Returns the configured address. If the configuration names a template parameter instead, returns the parameter's
 * value. A parameter is declared only once in the stack.
 */
export function configured(scope: Construct, value: ConfiguredUrl): string {
  if (typeof value === 'string') return value;
  const stack = Stack.of(scope);
  const declared = stack.node.tryFindChild(value.parameter);
  if (declared instanceof CfnParameter) return declared.valueAsString;
  return new CfnParameter(stack, value.parameter, {
    type: 'String',
    allowedPattern: '^https?://[^\\s]+[^/\\s]$',
    description: 'An address that is known only when the stack is deployed, without a slash at its end',
  }).valueAsString;
}

/**
 * Returns the configured origins. If the configuration names a template parameter instead, returns the parameter's
 * values, to be used with `Fn.join` and `Fn.select`: their number is known only when the stack is deployed.
 */
export function configuredOrigins(scope: Construct, origins: ConfiguredOrigins): readonly string[] {
  return origins.flatMap((each) =>
    typeof each === 'string'
      ? [each]
      : new CfnParameter(Stack.of(scope), each.parameter, {
          type: 'CommaDelimitedList',
          allowedPattern: '^https?://[^\\s/"$]+$',
          description: 'The origins of the pages that play streams, separated by commas',
        }).valueAsList,
  );
}

/** The environment variables with the settings of the issuer, for a function that verifies access tokens. */
export function oidcEnvironment(scope: Construct) {
  const { issuer, audience, algorithms, nonce, tokenType, clientClaims } = stageOf(scope).oidc;
  const stack = Stack.of(scope);
  return {
    OIDC_ISSUER: configured(scope, issuer),
    OIDC_AUDIENCE: stack.toJsonString(audience),
    OIDC_ALGORITHMS: stack.toJsonString(algorithms),
    OIDC_NONCE: nonce,
    OIDC_TOKEN_TYPE: tokenType,
    OIDC_CLIENT_CLAIMS: stack.toJsonString(clientClaims),
  };
}
