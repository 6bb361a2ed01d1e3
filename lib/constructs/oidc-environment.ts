import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { OidcConfig } from '../../config/oidc.ts';
import { configured } from './parameters.ts';

/** What a function that judges access tokens needs to know of the issuer. */
export function oidcEnvironment(scope: Construct, oidc: OidcConfig) {
  const stack = Stack.of(scope);
  return {
    OIDC_ISSUER: configured(scope, oidc.issuer),
    OIDC_AUDIENCE: stack.toJsonString(oidc.audience),
    OIDC_ALGORITHMS: stack.toJsonString(oidc.algorithms),
    OIDC_NONCE: oidc.nonce,
    OIDC_TOKEN_TYPE: oidc.tokenType,
  };
}
