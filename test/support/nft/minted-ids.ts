import { pad } from 'viem';
import type { World } from './world.ts';

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The ids of all tokens that were minted by a contract. A token that was minted twice appears twice. */
export const mintedIds = async ({ anvil }: Pick<World, 'anvil'>, contract: string): Promise<string[]> => {
  const logs = (await anvil.rpc('eth_getLogs', {
    address: contract,
    fromBlock: '0x0',
    toBlock: 'latest',
    topics: [transferTopic, pad('0x0', { size: 32 })],
  })) as readonly { readonly topics: readonly string[] }[];
  return logs.map(({ topics }) => BigInt(topics[3] ?? '').toString());
};
