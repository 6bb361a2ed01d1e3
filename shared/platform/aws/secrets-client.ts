import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type AwsClientOptions, clientConfig } from './client.ts';

export interface SecretsClient {
  read(secretId: string): Promise<string>;
}

export type SecretsClientOptions = Partial<
  Pick<AwsClientOptions, 'settings' | 'connectionTimeoutMilliseconds' | 'requestTimeoutMilliseconds'>
>;

export const secretsClient = (options: SecretsClientOptions = {}): SecretsClient => {
  const secretsManager = new SecretsManagerClient(
    clientConfig({ maxAttempts: 2, requestTimeoutMilliseconds: 2_500, ...options }),
  );
  return {
    read: async (secretId) => {
      const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId: secretId }));
      if (SecretString === undefined) throw new Error(`Secret ${secretId} has no SecretString`);
      return SecretString;
    },
  };
};
