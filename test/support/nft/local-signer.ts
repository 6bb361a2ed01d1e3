/** An implementation of the signer port with a key in memory, for tests that are not about KMS. */
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../../shared/chain/hex.ts';
import type { Signer } from '../../../shared/nft/ports/chain.ts';
import { anvilPrivateKey } from './anvil.ts';

export function localSigner({
  privateKey = anvilPrivateKey as Hex,
  chainId = 31_337,
  number = 1,
} = {}): Signer {
  const account = privateKeyToAccount(privateKey);
  return {
    number,
    chainId,
    address: async () => account.address,
    sign: async (transaction) => {
      const raw = await account.signTransaction({ ...transaction, type: 'eip1559', chainId });
      return { raw, hash: keccak256(raw) };
    },
  };
}
