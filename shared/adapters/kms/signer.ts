import type { KMSClient } from '@aws-sdk/client-kms';
import { keccak256 } from 'viem';
import type { Signer } from '../../nft/ports/chain.ts';
import { kmsAccount } from './account.ts';
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
    sign: async (transaction) => {
      const account = await kmsAccount(key);
      const raw = await account.signTransaction({ ...transaction, type: 'eip1559', chainId });
      return { raw, hash: keccak256(raw) };
    },
  };
}
