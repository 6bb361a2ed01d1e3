import type { KMSClient } from '@aws-sdk/client-kms';
import { keccak256, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem';
import type { Signer } from '../../nft/ports/chain.ts';
import { kmsKey } from './key.ts';

/** The signer port over a KMS key, for one chain. Made at init: the curve's tables are built here. */
export function kmsSigner({
  client,
  keyId,
  chainId,
}: {
  readonly client: KMSClient;
  /** Id, ARN, or alias. */
  readonly keyId: string;
  readonly chainId: number;
}): Signer {
  const key = kmsKey({ client, keyId });

  return {
    chainId,
    address: key.address,
    sign: async (unsigned) => {
      const transaction = { ...unsigned, type: 'eip1559', chainId } satisfies TransactionSerializableEIP1559;
      const signature = await key.sign(keccak256(serializeTransaction(transaction)));
      const raw = serializeTransaction(transaction, signature);
      return { raw, hash: keccak256(raw) };
    },
  };
}
