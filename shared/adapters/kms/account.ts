import { keccak256, type LocalAccount, serializeSignature, serializeTransaction } from 'viem';
import { toAccount } from 'viem/accounts';
import type { EthereumKey } from './key.ts';

/**
 * A KMS key as a viem account that signs transactions and nothing else: a message signed with the key that owns every
 * collection could pass for its owner's consent elsewhere.
 *
 * @throws KMS's error when it does not tell the public key.
 */
export async function kmsAccount(key: EthereumKey): Promise<LocalAccount> {
  return toAccount({
    address: await key.address(),
    sign: async ({ hash }) => serializeSignature(await key.sign(hash)),
    signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
      const signature = await key.sign(keccak256(await serializer(transaction)));
      return serializer(transaction, signature);
    },
    signMessage: () => refuse('messages'),
    signTypedData: () => refuse('typed data'),
  });
}

async function refuse(what: string): Promise<never> {
  throw new Error(`The signing key signs transactions, not ${what}`);
}
