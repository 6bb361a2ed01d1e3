import { hashMessage, recoverAddress } from 'viem/utils';
import { type Address, type Hash, type Hex, lowerCase } from '../nft/hex.ts';
import type { ContractSignatures } from './ports/contract-signatures.ts';

/** Half the order of secp256k1: a signature with a greater s is the other form of one that has it below (EIP-2). */
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

/** 65 bytes, or the 64 of EIP-2098, where the highest bit of s is the parity. */
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

/** Whether a key signs by itself: then nobody needs to be asked. Anything else is for the wallet's contract to judge. */
export const isOfKey = (signature: Hex): boolean => signature.length === 132 || signature.length === 130;

export const messageHash = (message: string): Hash => hashMessage(message);

/** Whose key signed; `undefined` for what is no signature, or the second form of one. */
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
    // No point of the curve, or numbers beyond its order.
    return undefined;
  }
};

/** @throws ChainUnavailableError for what only a contract can judge, when no endpoint answers. */
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
