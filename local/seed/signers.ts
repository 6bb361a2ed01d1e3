import type { ChainEngine } from 'template-runtime/engines/chain/types.ts';
import type { KeyEngine } from 'template-runtime/engines/kms.ts';
import { publicKeyToAddress } from 'viem/utils';

const balance = `0x${(10_000n * 10n ** 18n).toString(16)}`;
/** A SubjectPublicKeyInfo ends with the 65 bytes of the uncompressed point. */
const pointBytes = 65;

export const fundSigners = async ({
  keys,
  chain,
}: {
  readonly keys: KeyEngine;
  readonly chain: ChainEngine;
}): Promise<void> => {
  const signers = keys.list().filter(({ keySpec }) => keySpec === 'ECC_SECG_P256K1');
  for (const { keyId } of signers) {
    const point = Buffer.from(keys.publicKey(keyId)).subarray(-pointBytes).toString('hex');
    const address = publicKeyToAddress(`0x${point}`);
    const [held, sent] = await Promise.all([
      chain.request('eth_getBalance', [address, 'latest']),
      chain.request('eth_getTransactionCount', [address, 'latest']),
    ]);
    if (BigInt(String(held)) > 0n || Number(sent) > 0) continue;
    await chain.request('anvil_setBalance', [address, balance]);
    await chain.save();
  }
};
