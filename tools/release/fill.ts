import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';
import { type SecretName, secretNames } from '../../shared/platform/stage-secrets.ts';
import type { Checkout } from './checkout.ts';

/** The variable of the environment that has a secret's value, such as `SIGNING_KEY_SECRET`. */
const variableOf = (secret: SecretName): string => `${secret.replaceAll('-', '_').toUpperCase()}_SECRET`;

/**
 * Stores each secret whose value is in the environment, after it was tried, and shows the state of all secrets.
 *
 * @throws OperatorError when the environment has no value, or a value does not work.
 */
export const fillSecrets = async (
  { checkout }: { readonly checkout: Pick<Checkout, 'operator'> },
  {
    stage,
    environment,
  }: { readonly stage: string; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<void> => {
  const given = secretNames.flatMap((secret) => {
    const value = environment[variableOf(secret)] ?? '';
    return value === '' ? [] : [{ secret, value }];
  });
  if (given.length === 0) {
    const variables = secretNames.map(variableOf).join(', ');
    throw new OperatorError({ message: `The environment has no secret: none of ${variables} is set.` });
  }
  const folder = mkdtempSync(join(tmpdir(), 'marquee-secrets-'));
  try {
    for (const { secret, value } of given) {
      const file = join(folder, secret);
      writeFileSync(file, value, { mode: 0o600 });
      await checkout.operator('--stage', stage, 'secrets', 'set', secret, '--file', file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await checkout.operator('--stage', stage, 'secrets', 'list');
};
