import { keccak256, type LocalAccount, serializeSignature, serializeTransaction } from 'viem';
import { toAccount } from 'viem/accounts';
import type { EthereumKey } from './kms-key.ts';

/**
 * A KMS key as a viem account that signs only transactions. The key owns collections, so a signed message could be
 * taken for the consent of the collections' owner.
 * @throws KMS's error if it does not return the public key.
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
