import * as z from 'zod';
import type { KeyDescription, KeyEngine } from '../../engines/kms.ts';
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
      message: 'The local runtime signs only digests (MessageType DIGEST).',
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

const keyContext = ({ keySpec, keyUsage, tags = {} }: KeyDescription): Record<string, string[]> => ({
  'kms:KeySpec': [keySpec],
  'kms:KeyUsage': [keyUsage],
  ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key}`, [value]])),
});

export const kmsService = (keys: KeyEngine) =>
  jsonService({
    Sign: jsonOperation(signRequest, (input, call) => {
      const key = keys.describe(input.KeyId);
      call.allow('kms:Sign', key.arn, {
        ...keyContext(key),
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
      call.allow('kms:GetPublicKey', key.arn, keyContext(key));
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
