import { ChainUnavailableError } from '../../chain/errors.ts';
import { EndpointError } from '../../chain/rpc/json-rpc.ts';
import type { EndpointAnswer, RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { count, resultOf } from '../../chain/rpc/wire.ts';
import type { Chain } from '../ports/chain.ts';

interface View {
  readonly height: number;
  readonly counts: readonly number[];
}

/** The view of an endpoint, or none if the endpoint did not answer every request. */
const viewsOf = (answer: EndpointAnswer): View[] => {
  if ('failure' in answer) return [];
  try {
    const [height = 0, ...counts] = answer.answers.map((_, index) => resultOf(answer.answers, index, count));
    return [{ height, counts }];
  } catch (error) {
    if (error instanceof EndpointError) return [];
    throw error;
  }
};

export const minedCounts =
  (endpoints: Pick<RpcEndpoints, 'every'>): Chain['minedCounts'] =>
  async (addresses) => {
    if (addresses.length === 0) return new Map();
    const answers = await endpoints.every([
      { method: 'eth_blockNumber', params: [] },
      ...addresses.map((address) => ({ method: 'eth_getTransactionCount', params: [address, 'latest'] })),
    ]);
    const [ahead] = answers.flatMap(viewsOf).toSorted((one, other) => other.height - one.height);
    if (ahead === undefined) {
      throw new ChainUnavailableError({ message: 'No RPC endpoint returned the transaction counts' });
    }
    return new Map(addresses.map((address, index) => [address, ahead.counts[index] ?? 0]));
  };
