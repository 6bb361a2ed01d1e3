import * as z from 'zod';
import type { SecretDescription, SecretEngine } from '../../engines/secrets.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { type Call, tagContext } from '../call.ts';
import { epochSeconds, jsonOperation, jsonService } from '../json-protocol.ts';

const secretReference = z.object({ SecretId: z.string() });

const reference = (secret: SecretDescription) => ({
  ARN: secret.arn,
  Name: secret.name,
  VersionId: secret.versionId,
  VersionStages: ['AWSCURRENT'],
});

const description = (secret: SecretDescription) => ({
  ARN: secret.arn,
  Name: secret.name,
  Description: secret.description,
  CreatedDate: epochSeconds(secret.createdDate),
  LastChangedDate: epochSeconds(secret.lastChangedDate),
});

export const secretsService = (secrets: SecretEngine) => {
  // A caller without permission gets `AccessDeniedException` even if the secret does not exist.
  const find = (id: string, action: string, call: Call) => {
    try {
      const secret = secrets.get(id);
      call.allow(action, secret.arn, tagContext(secret.tags));
      return secret;
    } catch (error) {
      if (error instanceof ServiceFault && error.code === 'ResourceNotFoundException') call.allow(action, id);
      throw error;
    }
  };

  return jsonService({
    GetSecretValue: jsonOperation(secretReference, ({ SecretId }, call) => {
      const secret = find(SecretId, 'secretsmanager:GetSecretValue', call);
      return {
        ...reference(secret),
        CreatedDate: epochSeconds(secret.createdDate),
        SecretString: secret.value,
      };
    }),
    PutSecretValue: jsonOperation(
      secretReference.extend({ SecretString: z.string() }),
      ({ SecretId, SecretString }, call) => {
        find(SecretId, 'secretsmanager:PutSecretValue', call);
        return reference(secrets.put(SecretId, SecretString));
      },
    ),
    ListSecrets: jsonOperation(z.object({}), (_, call) => {
      call.allow('secretsmanager:ListSecrets', '*');
      return { SecretList: secrets.list().map(description) };
    }),
  });
};
