import * as z from 'zod';
import { type JsonServiceOptions, jsonService } from '../aws/json-service.ts';
import { type AwsSettings, functionSettings } from '../aws/settings.ts';

/** What is asked of Secrets Manager. */
export interface SecretsClient {
  /** The current value. */
  read(secretId: string): Promise<string>;
}

const answerSchema = z.object({ SecretString: z.string() });

export type SecretsClientOptions = Partial<
  Pick<JsonServiceOptions, 'connectionTimeoutMilliseconds' | 'requestTimeoutMilliseconds'>
>;

export const secretsClientOf = (settings: AwsSettings, options: SecretsClientOptions = {}): SecretsClient => {
  const secretsManager = jsonService({
    settings,
    service: 'secretsmanager',
    target: 'secretsmanager',
    version: '1.1',
    maxAttempts: 2,
    requestTimeoutMilliseconds: 2_500,
    ...options,
  });
  return {
    read: async (secretId) =>
      answerSchema.parse(await secretsManager('GetSecretValue', { SecretId: secretId })).SecretString,
  };
};

/** That of a function. */
export const secretsClient = (options?: SecretsClientOptions): SecretsClient =>
  secretsClientOf(functionSettings(), options);
