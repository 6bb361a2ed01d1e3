/** A KMS key of spec ECC_SECG_P256K1: its address, and signatures as Ethereum has them. */
import { invert, mod } from '@noble/curves/abstract/modular';
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToBigInt, bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem';
import { publicKeyToAddress } from 'viem/utils';
import type { KeyService } from './client.ts';

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

type Point = ReturnType<typeof secp256k1.ProjectivePoint.fromHex>;

const { n: order } = secp256k1.CURVE;

/** Of the tables of the curve and of the key: a few milliseconds to build, and ten times as fast as without. */
const tableBits = 4;

/** DER of a SubjectPublicKeyInfo for an uncompressed point on secp256k1; the point's 65 bytes follow (RFC 5480). */
const publicKeyPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

export function kmsKey({
  client,
  keyId,
}: {
  readonly client: KeyService;
  readonly keyId: string;
}): EthereumKey {
  warmUp();
  let asked: Promise<{ readonly point: Point; readonly address: Address }> | undefined;

  function publicKey() {
    asked ??= client.publicKey(keyId).then(
      (der) => {
        const point = pointOf(der);
        return { point, address: publicKeyToAddress(bytesToHex(point.toRawBytes(false))) };
      },
      (error) => {
        asked = undefined;
        throw error;
      },
    );
    return asked;
  }

  let prepared: Point | undefined;

  /** With a table, which is built only for a key that signs: of most keys only the address is asked. */
  async function preparedKey(): Promise<Point> {
    const { point } = await publicKey();
    prepared ??= secp256k1.utils.precompute(tableBits, point);
    return prepared;
  }

  return {
    address: async () => (await publicKey()).address,
    sign: async (digest) => {
      const message = hexToBytes(digest);
      const [point, der] = await Promise.all([preparedKey(), client.signDigest(keyId, message)]);
      return recoverable({ der, message, key: point });
    },
  };
}

function pointOf(der: Uint8Array): Point {
  const bytes = Buffer.from(der);
  const point = bytes.subarray(publicKeyPrefix.length);
  if (!bytes.subarray(0, publicKeyPrefix.length).equals(publicKeyPrefix) || point.length !== 65) {
    throw new Error('The signing key is not on secp256k1 (ECC_SECG_P256K1)');
  }
  return secp256k1.ProjectivePoint.fromHex(point);
}

/**
 * KMS does not say which of the two points it signed with. It is computed from signature and key as a verification
 * does it, both of which have tables: a tenth of the work of recovering a key from either point and comparing.
 */
function recoverable({
  der,
  message,
  key,
}: {
  readonly der: Uint8Array;
  readonly message: Uint8Array;
  readonly key: Point;
}): EthereumSignature {
  const { r, s } = secp256k1.Signature.fromDER(der).normalizeS();
  const inverse = invert(s, order);
  const signedWith = secp256k1.ProjectivePoint.BASE.multiply(mod(bytesToBigInt(message) * inverse, order))
    .add(key.multiply(mod(r * inverse, order)))
    .toAffine();
  if (mod(signedWith.x, order) !== r) throw new Error('KMS returned a signature that is not of its own key');
  return {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    yParity: (signedWith.y & 1n) === 0n ? 0 : 1,
  };
}

let isWarm = false;

/**
 * Builds the curve's table, once in a process and before the first request. The library's own choice, twice the bits,
 * takes five times as long to build and saves a fifth of a signature: an execution environment would have to sign a
 * hundred times to win that back.
 */
function warmUp(): void {
  if (isWarm) return;
  isWarm = true;
  secp256k1.utils.precompute(tableBits);
}
