import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { quantity, resultOf } from '../../chain/rpc/wire.ts';
import type { Chain } from '../ports/chain.ts';

export const balances =
  (endpoints: Pick<RpcEndpoints, 'first'>): Chain['balances'] =>
  async (addresses) => {
    if (addresses.length === 0) return new Map();
    const requests = addresses.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] }));
    return endpoints.first(
      requests,
      (answers) =>
        new Map(addresses.map((address, index) => [address, resultOf(answers, index, quantity)] as const)),
    );
  };
