import {
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { System } from '../test/support/system.ts';

/** Has the system ask the chain here. Functions that asked it before keep what they know for five minutes. */
export const askChainAt = async (system: System, url: string): Promise<void> => {
  const client = new SecretsManagerClient(system.aws);
  const { SecretList = [] } = await client.send(new ListSecretsCommand({}));
  const secret = SecretList.find(({ Name = '', ARN = '' }) => /chain/i.test(`${Name}${ARN}`));
  if (secret?.ARN === undefined) throw new Error(`No secret of the chain among ${SecretList.length}`);
  const SecretString = JSON.stringify({ urls: [url] });
  await client.send(new PutSecretValueCommand({ SecretId: secret.ARN, SecretString }));
  client.destroy();
};
