import type { DeployedStack } from 'template-runtime/assembly/deployment.ts';
import type { SecretEngine } from 'template-runtime/engines/secrets.ts';
import { isUnsetSecret } from '../../shared/platform/stage-secrets.ts';

export interface SecretSeedOptions {
  readonly secrets: SecretEngine;
  readonly stack: DeployedStack;
  /** Keyed by the secret's construct id. */
  readonly values: Readonly<Record<string, string>>;
  /**
   * The values that an earlier start stored. If a secret has another value now, an operator has changed it, so the new
   * value is kept.
   */
  readonly earlier: Readonly<Record<string, string>>;
}

export const putSecrets = ({ secrets, stack, values, earlier }: SecretSeedOptions): void => {
  for (const [id, value] of Object.entries(values)) {
    const arn = secretArn(stack, id);
    const current = secrets.get(arn).value;
    if (isUnsetSecret(current) || current === earlier[id]) secrets.put(arn, value);
  }
};

const secretArn = (stack: DeployedStack, id: string): string => {
  const found = stack.resources.find(
    ({ type, path }) => type === 'AWS::SecretsManager::Secret' && path?.endsWith(`/${id}/Resource`),
  );
  if (!found) throw new Error(`the template has no secret ${id} to put a value into`);
  return found.physicalId;
};
