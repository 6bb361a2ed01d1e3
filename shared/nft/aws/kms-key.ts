/** A KMS key of spec ECC_SECG_P256K1: its Ethereum address, and signatures in Ethereum's form. */
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem';
import { publicKeyToAddress, recoverAddress } from 'viem/utils';
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
      const [signer, der] = await Promise.all([address(), client.signDigest(keyId, hexToBytes(digest))]);
      return recoverable({ digest, der, signer });
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
async function recoverable({
  digest,
  der,
  signer,
}: {
  readonly digest: Hex;
  readonly der: Uint8Array;
  readonly signer: Address;
}): Promise<EthereumSignature> {
  const parsed = secp256k1.Signature.fromDER(der).normalizeS();
  const r = numberToHex(parsed.r, { size: 32 });
  const s = numberToHex(parsed.s, { size: 32 });
  for (const yParity of [0, 1] as const) {
    const signature = { r, s, yParity };
    if ((await recoveredFrom(digest, signature)) === signer) return signature;
  }
  throw new Error('KMS returned a signature that was not made with the signing key');
}

/** `undefined` if there is no point with this parity. */
async function recoveredFrom(hash: Hex, signature: EthereumSignature): Promise<Address | undefined> {
  try {
    return await recoverAddress({ hash, signature });
  } catch {
    return undefined;
  }
}
