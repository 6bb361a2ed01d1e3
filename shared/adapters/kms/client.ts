import * as z from 'zod';
import { jsonService } from '../aws/json-service.ts';
import type { AwsSettings } from '../aws/settings.ts';

/** What is asked of KMS, for asymmetric keys to sign with. */
export interface KeyService {
  /** DER of a SubjectPublicKeyInfo. */
  publicKey(keyId: string): Promise<Uint8Array>;
  /** DER of the signature of 32 bytes as they are, by ECDSA. */
  signDigest(keyId: string, digest: Uint8Array): Promise<Uint8Array>;
}

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const publicKeySchema = z.object({ PublicKey: bytes });
const signatureSchema = z.object({ Signature: bytes });

export const kmsClient = (settings: AwsSettings): KeyService => {
  const kms = jsonService({
    settings,
    service: 'kms',
    target: 'TrentService',
    version: '1.1',
    maxAttempts: 3,
    requestTimeoutMilliseconds: 2_500,
  });
  return {
    publicKey: async (keyId) => publicKeySchema.parse(await kms('GetPublicKey', { KeyId: keyId })).PublicKey,
    signDigest: async (keyId, digest) => {
      const signed = await kms('Sign', {
        KeyId: keyId,
        Message: Buffer.from(digest).toString('base64'),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      return signatureSchema.parse(signed).Signature;
    },
  };
};
