import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { originVerifySchema } from '../../../shared/platform/aws/own-secrets.ts';
import { secretsClient } from '../../../shared/platform/aws/secrets-client.ts';
import { type SecretName, secretNames } from '../../../shared/platform/stage-secrets.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { originRule } from './origin-rule.ts';
import type { TriedStage } from './trials.ts';

const arnsSchema = z.partialRecord(z.enum(secretNames), z.string());

/** The secrets of a stage, by their names. */
export const stageSecrets = (target: Target) => {
  const arns = arnsSchema.parse(JSON.parse(target.output('SecretArns')));
  const names = secretNames.filter((name) => arns[name] !== undefined);
  const arnOf = (name: SecretName): string => {
    const arn = arns[name];
    if (arn === undefined) {
      const message = `Stage ${target.stage} has no secret ${name}; it has ${names.join(', ')}.`;
      throw new OperatorError({ message });
    }
    return arn;
  };
  const client = secretsClient({ settings: target.aws });
  return {
    names,
    read: (name: SecretName): Promise<string> => client.read(arnOf(name)),
    /** @throws OperatorError when the stage has no such secret. */
    requireSecret: (name: SecretName): void => {
      arnOf(name);
    },
    /**
     * Functions read the value within five minutes. The firewall compares with a value of `origin-verify` from now on.
     */
    store: async (name: SecretName, text: string): Promise<void> => {
      const writer = new SecretsManagerClient(target.aws);
      try {
        await writer.send(new PutSecretValueCommand({ SecretId: arnOf(name), SecretString: text }));
      } finally {
        writer.destroy();
      }
      if (name === 'origin-verify')
        await originRule(target).write(originVerifySchema.parse(JSON.parse(text)));
    },
  };
};

export const triedStage = (target: Target): TriedStage => {
  const { nft, ott } = stageSettings(target.stage);
  return {
    chainId: nft.chainId,
    finality: nft.finality,
    ownTicketEndpoints: ott.ownTicketEndpoints,
    entitlementUrl: target.output('EntitlementServiceUrl'),
    // A stage that asks nobody for countries has neither this address nor the secret.
    get geolocationUrl() {
      return target.output('GeolocationServiceUrl');
    },
  };
};
