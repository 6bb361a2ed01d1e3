import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { lowerCase } from '../../../shared/chain/hex.ts';
import { messageHash, signerOf } from '../../../shared/wallets/signature.ts';

const account = privateKeyToAccount(generatePrivateKey());

/** A signature of each parity. The parity of a message's signature is as good as random. */
const signatures = async () => {
  const found = new Map<number, { readonly message: string; readonly signature: `0x${string}` }>();
  for (let number = 0; found.size < 2; number += 1) {
    const message = `message ${number}`;
    const signature = await account.signMessage({ message });
    found.set(parseSignature(signature).yParity, { message, signature });
  }
  return found;
};

describe('a signature of a wallet’s key', () => {
  it.each([0, 1])('of parity %i names its address, with 65 bytes and with 64 (EIP-2098)', async (parity) => {
    const { message = '', signature = '0x' } = (await signatures()).get(parity) ?? {};
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
    const hash = messageHash(message);

    const signers = [await signerOf({ hash, signature }), await signerOf({ hash, signature: compact })];

    expect(signers).toEqual([lowerCase(account.address), lowerCase(account.address)]);
  });
});
