import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { type AwsSettings, clientConfig } from './client.ts';

export interface KeyService {
  /** DER of a SubjectPublicKeyInfo. */
  publicKey(keyId: string): Promise<Uint8Array>;
  /** DER of the ECDSA signature of a 32-byte digest. */
  signDigest(keyId: string, digest: Uint8Array): Promise<Uint8Array>;
}

const required = (bytes: Uint8Array | undefined): Uint8Array => {
  if (bytes === undefined) throw new Error('KMS answered without the requested value');
  return bytes;
};

export const kmsClient = (settings: AwsSettings = {}): KeyService => {
  const kms = new KMSClient(clientConfig({ settings, maxAttempts: 3, requestTimeoutMilliseconds: 2_500 }));
  return {
    publicKey: async (keyId) =>
      required((await kms.send(new GetPublicKeyCommand({ KeyId: keyId }))).PublicKey),
    signDigest: async (keyId, digest) => {
      const { Signature } = await kms.send(
        new SignCommand({
          KeyId: keyId,
          Message: digest,
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      return required(Signature);
    },
  };
};
