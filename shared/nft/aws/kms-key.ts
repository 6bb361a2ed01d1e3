/** A KMS key of spec ECC_SECG_P256K1: its Ethereum address, and signatures in Ethereum's form. */
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem';
import { publicKeyToAddress } from 'viem/utils';
import type { KeyService } from '../../platform/aws/kms-client.ts';

export interface EthereumSignature {
  readonly r: Hex;
  /** Always in the lower half of the curve's order (EIP-2). KMS returns values in both halves. */
  readonly s: Hex;
  readonly yParity: 0 | 1;
}

export interface EthereumKey {
  /** The address with an EIP-55 checksum. KMS is queried only once. */
  address(): Promise<Address>;
  /** Signs a 32-byte digest. @throws Error if the signature does not belong to this key. */
  sign(digest: Hex): Promise<EthereumSignature>;
}

/** DER of a SubjectPublicKeyInfo for an uncompressed point on secp256k1, without the point's 65 bytes (RFC 5480). */
const publicKeyPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

export function kmsKey({
  client,
  keyId,
}: {
  readonly client: KeyService;
  readonly keyId: string;
}): EthereumKey {
  let asked: Promise<Address> | undefined;

  function address(): Promise<Address> {
    asked ??= client.publicKey(keyId).then(addressOf, (error) => {
      asked = undefined;
      throw error;
    });
    return asked;
  }

  return {
    address,
    sign: async (digest) => {
      const bytes = hexToBytes(digest);
      const [signer, der] = await Promise.all([address(), client.signDigest(keyId, bytes)]);
      return recoverable({ digest: bytes, der, signer });
    },
  };
}

function addressOf(der: Uint8Array): Address {
  const bytes = Buffer.from(der);
  const point = bytes.subarray(publicKeyPrefix.length);
  if (!bytes.subarray(0, publicKeyPrefix.length).equals(publicKeyPrefix) || point.length !== 65) {
    throw new Error('The signing key is not on secp256k1 (ECC_SECG_P256K1)');
  }
  return publicKeyToAddress(bytesToHex(point));
}

/** KMS does not return the parity of the signature, so it is the one with which the signer's address is recovered. */
function recoverable({
  digest,
  der,
  signer,
}: {
  readonly digest: Uint8Array;
  readonly der: Uint8Array;
  readonly signer: Address;
}): EthereumSignature {
  const signature = secp256k1.Signature.fromDER(der).normalizeS();
  const yParity = ([0, 1] as const).find((parity) => recoveredFrom(digest, signature, parity) === signer);
  if (yParity === undefined) {
    throw new Error('KMS returned a signature that was not made with the signing key');
  }
  return { r: numberToHex(signature.r, { size: 32 }), s: numberToHex(signature.s, { size: 32 }), yParity };
}

/** `undefined` if no point has this parity. */
function recoveredFrom(
  digest: Uint8Array,
  signature: ReturnType<typeof secp256k1.Signature.fromDER>,
  parity: 0 | 1,
): Address | undefined {
  try {
    const point = signature.addRecoveryBit(parity).recoverPublicKey(digest);
    return publicKeyToAddress(bytesToHex(point.toRawBytes(false)));
  } catch {
    return undefined;
  }
}
