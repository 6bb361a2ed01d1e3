import * as z from 'zod';
import type { KeyEngine } from '../../engines/kms.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { jsonOperation, jsonService } from '../json-protocol.ts';

const keyReference = z.object({ KeyId: z.string() });
const signRequest = z.object({
  KeyId: z.string(),
  Message: z.base64(),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.string(),
});
const signingAlgorithm = 'ECDSA_SHA_256';

const digestOf = ({ Message, MessageType, SigningAlgorithm }: z.infer<typeof signRequest>): Buffer => {
  if (SigningAlgorithm !== signingAlgorithm) {
    throw new ServiceFault({
      code: 'InvalidKeyUsageException',
      message: `Algorithm ${SigningAlgorithm} and key spec ECC_SECG_P256K1 are incompatible.`,
    });
  }
  if (MessageType !== 'DIGEST') {
    throw new ServiceFault({
      code: 'UnsupportedOperationException',
      message: 'The local runtime signs digests only (MessageType DIGEST).',
    });
  }
  const digest = Buffer.from(Message, 'base64');
  if (digest.length !== 32) {
    throw new ServiceFault({
      code: 'ValidationException',
      message: `Digest is invalid length for algorithm ${SigningAlgorithm}.`,
    });
  }
  return digest;
};

export const kmsService = (keys: KeyEngine) =>
  jsonService({
    Sign: jsonOperation(signRequest, (input, call) => {
      const key = keys.describe(input.KeyId);
      call.allow('kms:Sign', key.arn, {
        'kms:KeySpec': [key.keySpec],
        'kms:KeyUsage': [key.keyUsage],
        'kms:MessageType': [input.MessageType],
        'kms:SigningAlgorithm': [input.SigningAlgorithm],
      });
      const signature = keys.sign({ keyId: key.keyId, digest: digestOf(input) });
      return {
        KeyId: key.arn,
        Signature: Buffer.from(signature).toString('base64'),
        SigningAlgorithm: signingAlgorithm,
      };
    }),
    GetPublicKey: jsonOperation(keyReference, ({ KeyId }, call) => {
      const key = keys.describe(KeyId);
      call.allow('kms:GetPublicKey', key.arn);
      return {
        KeyId: key.arn,
        PublicKey: Buffer.from(keys.publicKey(KeyId)).toString('base64'),
        CustomerMasterKeySpec: key.keySpec,
        KeySpec: key.keySpec,
        KeyUsage: key.keyUsage,
        SigningAlgorithms: [signingAlgorithm],
      };
    }),
    ListKeys: jsonOperation(z.object({}), (_, call) => {
      call.allow('kms:ListKeys', '*');
      return { Keys: keys.list().map((key) => ({ KeyId: key.keyId, KeyArn: key.arn })), Truncated: false };
    }),
  });
