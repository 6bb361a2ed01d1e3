import { encodeFunctionData, type Hex } from 'viem';
import { collectionAbi } from './collection-abi.ts';

export interface Transfer {
  readonly contract: string;
  readonly tokenId: string;
  readonly from: string;
  readonly to: string;
}

/** Sends a token to another address as its owner. The chain needs no key of the owner for it. */
export const transferToken = async (
  rpc: (method: string, ...parameters: readonly unknown[]) => Promise<unknown>,
  { contract, tokenId, from, to }: Transfer,
): Promise<void> => {
  await rpc('anvil_impersonateAccount', from);
  await rpc('anvil_setBalance', from, '0xde0b6b3a7640000');
  const data = encodeFunctionData({
    abi: collectionAbi,
    functionName: 'transferFrom',
    args: [from as Hex, to as Hex, BigInt(tokenId)],
  });
  // Nothing estimates the gas, so it does not matter whether the token is mined yet.
  await rpc('eth_sendTransaction', { from, to: contract, data, gas: '0x30000' });
};
