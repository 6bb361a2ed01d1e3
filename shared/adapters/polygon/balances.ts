import type { Chain } from '../../nft/ports/chain.ts';
import type { Endpoints } from './endpoints.ts';
import { quantity, resultOf } from './wire.ts';

export const balances =
  (endpoints: Endpoints): Chain['balances'] =>
  async (addresses) => {
    if (addresses.length === 0) return new Map();
    const requests = addresses.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] }));
    return endpoints.first(
      requests,
      (answers) =>
        new Map(addresses.map((address, index) => [address, resultOf(answers, index, quantity)] as const)),
    );
  };
