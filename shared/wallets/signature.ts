import {
  concatHex,
  hashMessage,
  isErc6492Signature,
  parseErc6492Signature,
  recoverAddress,
} from 'viem/utils';
import { type Address, type Hash, type Hex, lowerCase } from '../chain/hex.ts';

/** Half the order of secp256k1. Each signature has a second valid form with a greater s, which is refused (EIP-2). */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const recoveryBits = new Map<number, 0 | 1>([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

interface Parts {
  readonly r: Hex;
  readonly s: Hex;
  readonly yParity: number;
}

/**
 * The parts of a signature of 65 bytes, or of 64 bytes (EIP-2098). In the 64 bytes, the highest bit of s is the parity.
 * `undefined` for a signature of another form.
 */
const partsOf = (signature: Hex): Parts | undefined => {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const r: Hex = `0x${bytes.toString('hex', 0, 32)}`;
  if (bytes.length === 64) {
    const yParity = bytes.readUInt8(32) >> 7;
    bytes.writeUInt8(bytes.readUInt8(32) & 0x7f, 32);
    return { r, s: `0x${bytes.toString('hex', 32)}`, yParity };
  }
  if (bytes.length !== 65) return undefined;
  const yParity = recoveryBits.get(bytes.readUInt8(64));
  return yParity === undefined ? undefined : { r, s: `0x${bytes.toString('hex', 32, 64)}`, yParity };
};

export const messageHash = (message: string): Hash => hashMessage(message);

/**
 * The address whose private key made the signature. `undefined` if the signature is malformed, or if its s is greater
 * than half the order.
 */
export const signerOf = async ({
  hash,
  signature,
}: {
  readonly hash: Hash;
  readonly signature: Hex;
}): Promise<Address | undefined> => {
  const parts = partsOf(signature);
  if (parts === undefined || BigInt(parts.s) > halfOrder) return undefined;
  try {
    return lowerCase(await recoverAddress({ hash, signature: parts }));
  } catch {
    // `r` and `s` do not describe a point on the curve, or are greater than the curve's order.
    return undefined;
  }
};

/** The signature within ERC-6492's envelope, or the signature itself. `undefined` if the envelope is malformed. */
export const unwrapped = (signature: Hex): Hex | undefined => {
  if (!isErc6492Signature(signature)) return signature;
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    return undefined;
  }
};

/** Whether the address's private key made the signature, also one in an envelope. */
export const isOfKey = async ({
  address,
  hash,
  signature,
}: {
  readonly address: Address;
  readonly hash: Hash;
  readonly signature: Hex;
}): Promise<boolean> => {
  const inner = unwrapped(signature);
  return inner !== undefined && (await signerOf({ hash, signature: inner })) === address;
};

/**
 * The forms in which a contract may accept a signature: as it is, and as the 65 bytes that end in 27 or 28. Most
 * contracts know only these of an owner's key, but some wallets and pages write 64 bytes, or the parity as it is. Both
 * forms prove the same.
 */
export const formsOf = (signature: Hex): readonly Hex[] => {
  const parts = partsOf(signature);
  if (parts === undefined) return [signature];
  const usual = concatHex([parts.r, parts.s, parts.yParity === 0 ? '0x1b' : '0x1c']);
  return usual === signature ? [signature] : [signature, usual];
};
