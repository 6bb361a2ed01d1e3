/** A KMS key of spec ECC_SECG_P256K1: its Ethereum address, and signatures in Ethereum's form. */
import { invert, mod } from '@noble/curves/abstract/modular';
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToBigInt, bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem';
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

type Point = ReturnType<typeof secp256k1.ProjectivePoint.fromHex>;
type Multiply = (scalar: bigint) => Point;

const { n: order } = secp256k1.CURVE;

/**
 * The width of a precomputed table for a point. Building the table takes as long as about four multiplications without
 * a table. A multiplication with the table is four times as fast as one without.
 */
const tableBits = 6;
const multiplicationsWithoutTable = 2;

/** Multiplies a point by a number. Use it only for numbers that are not secret, because the duration reveals them. */
function multiplierOf(point: Point): Multiply {
  let multiplications = 0;
  return (scalar) => {
    multiplications += 1;
    if (multiplications <= multiplicationsWithoutTable) return point.multiplyUnsafe(scalar);
    if (multiplications === multiplicationsWithoutTable + 1) secp256k1.utils.precompute(tableBits, point);
    return point.multiply(scalar);
  };
}

/** Multiplies a copy of the generator: for its own generator, the library would build a larger table (width 8). */
const timesGenerator = multiplierOf(
  secp256k1.ProjectivePoint.fromAffine(secp256k1.ProjectivePoint.BASE.toAffine()),
);

/** DER of a SubjectPublicKeyInfo for an uncompressed point on secp256k1, without the point's 65 bytes (RFC 5480). */
const publicKeyPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

export function kmsKey({
  client,
  keyId,
}: {
  readonly client: KeyService;
  readonly keyId: string;
}): EthereumKey {
  let asked: Promise<{ readonly timesKey: Multiply; readonly address: Address }> | undefined;

  function publicKey() {
    asked ??= client.publicKey(keyId).then(
      (der) => {
        const point = pointOf(der);
        return {
          timesKey: multiplierOf(point),
          address: publicKeyToAddress(bytesToHex(point.toRawBytes(false))),
        };
      },
      (error) => {
        asked = undefined;
        throw error;
      },
    );
    return asked;
  }

  return {
    address: async () => (await publicKey()).address,
    sign: async (digest) => {
      const message = hexToBytes(digest);
      const [{ timesKey }, der] = await Promise.all([publicKey(), client.signDigest(keyId, message)]);
      return recoverable({ der, message, timesKey });
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
 * KMS does not return the parity of the signature's point R, so R is computed as in a verification. This is faster than
 * recovering the public key for each of the two parities: both multiplications of a verification use precomputed
 * tables, and a recovery cannot use them.
 */
function recoverable({
  der,
  message,
  timesKey,
}: {
  readonly der: Uint8Array;
  readonly message: Uint8Array;
  readonly timesKey: Multiply;
}): EthereumSignature {
  const { r, s } = secp256k1.Signature.fromDER(der).normalizeS();
  const inverse = invert(s, order);
  const signedWith = timesGenerator(mod(bytesToBigInt(message) * inverse, order))
    .add(timesKey(mod(r * inverse, order)))
    .toAffine();
  if (mod(signedWith.x, order) !== r)
    throw new Error('KMS returned a signature that was not made with the signing key');
  return {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    yParity: (signedWith.y & 1n) === 0n ? 0 : 1,
  };
}
