import { hashMessage, recoverAddress } from 'viem/utils';
import { type Address, type Hash, type Hex, lowerCase } from '../nft/hex.ts';
import type { ContractSignatures } from './ports/contract-signatures.ts';

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
 */
const partsOf = (signature: Hex): Parts | undefined => {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const r: Hex = `0x${bytes.toString('hex', 0, 32)}`;
  if (bytes.length === 64) {
    const yParity = bytes.readUInt8(32) >> 7;
    bytes.writeUInt8(bytes.readUInt8(32) & 0x7f, 32);
    return { r, s: `0x${bytes.toString('hex', 32)}`, yParity };
  }
  const yParity = recoveryBits.get(bytes.readUInt8(64));
  return yParity === undefined ? undefined : { r, s: `0x${bytes.toString('hex', 32, 64)}`, yParity };
};

/**
 * Whether the signature has the length of a signature made with a private key: 65 bytes, or 64 in the compact form. A
 * signature of any other length is verified by the wallet's contract.
 */
export const isOfKey = (signature: Hex): boolean => signature.length === 132 || signature.length === 130;

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

/** @throws ChainUnavailableError when only a contract can verify the signature and no endpoint answers. */
export const isSignedBy = async (
  contracts: ContractSignatures,
  {
    address,
    message,
    signature,
  }: { readonly address: Address; readonly message: string; readonly signature: Hex },
): Promise<boolean> => {
  const hash = messageHash(message);
  if (isOfKey(signature)) return (await signerOf({ hash, signature })) === address;
  return contracts.isValid({ address, hash, signature });
};
