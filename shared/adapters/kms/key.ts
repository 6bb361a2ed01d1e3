/** A KMS key of spec ECC_SECG_P256K1: its address, and signatures as Ethereum has them. */
import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem';
import { publicKeyToAddress } from 'viem/utils';

export interface EthereumSignature {
  readonly r: Hex;
  /** In the lower half of the curve's order (EIP-2): KMS returns either half. */
  readonly s: Hex;
  readonly yParity: 0 | 1;
}

export interface EthereumKey {
  /** EIP-55. Asked once. */
  address(): Promise<Address>;
  /** Signs 32 bytes as they are. @throws Error when the signature is not of this key. */
  sign(digest: Hex): Promise<EthereumSignature>;
}

/** DER of a SubjectPublicKeyInfo for an uncompressed point on secp256k1; the point's 65 bytes follow (RFC 5480). */
const publicKeyPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

export function kmsKey({
  client,
  keyId,
}: {
  readonly client: KMSClient;
  readonly keyId: string;
}): EthereumKey {
  warmUp();
  let asked: Promise<Uint8Array> | undefined;

  function publicKey(): Promise<Uint8Array> {
    asked ??= client.send(new GetPublicKeyCommand({ KeyId: keyId })).then(
      ({ PublicKey }) => pointOf(PublicKey),
      (error) => {
        asked = undefined;
        throw error;
      },
    );
    return asked;
  }

  return {
    address: async () => publicKeyToAddress(bytesToHex(await publicKey())),
    sign: async (digest) => {
      const message = hexToBytes(digest);
      const [point, { Signature }] = await Promise.all([
        publicKey(),
        client.send(
          new SignCommand({
            KeyId: keyId,
            Message: message,
            MessageType: 'DIGEST',
            SigningAlgorithm: 'ECDSA_SHA_256',
          }),
        ),
      ]);
      return recoverable({ der: Signature ?? new Uint8Array(), message, point });
    },
  };
}

function pointOf(der: Uint8Array | undefined): Uint8Array {
  const bytes = Buffer.from(der ?? new Uint8Array());
  const point = bytes.subarray(publicKeyPrefix.length);
  if (!bytes.subarray(0, publicKeyPrefix.length).equals(publicKeyPrefix) || point.length !== 65) {
    throw new Error('The signing key is not on secp256k1 (ECC_SECG_P256K1)');
  }
  return point;
}

/** KMS does not say which of the two points it signed with: the one from which this key is recovered. */
function recoverable({
  der,
  message,
  point,
}: {
  readonly der: Uint8Array;
  readonly message: Uint8Array;
  readonly point: Uint8Array;
}): EthereumSignature {
  const signature = secp256k1.Signature.fromDER(der).normalizeS();
  const yParity = ([0, 1] as const).find((bit) =>
    Buffer.from(signature.addRecoveryBit(bit).recoverPublicKey(message).toRawBytes(false)).equals(point),
  );
  if (yParity === undefined) throw new Error('KMS returned a signature that is not of its own key');
  return { r: numberToHex(signature.r, { size: 32 }), s: numberToHex(signature.s, { size: 32 }), yParity };
}

let isWarm = false;

/** The curve's tables are built by the first operation of a process and take longer than all that follow. */
function warmUp(): void {
  if (isWarm) return;
  isWarm = true;
  const message = new Uint8Array(32).fill(1);
  secp256k1.sign(message, message).recoverPublicKey(message);
}
