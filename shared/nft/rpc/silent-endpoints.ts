import { EndpointError } from '../../chain/rpc/json-rpc.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { count, resultOf } from '../../chain/rpc/wire.ts';
import type { Chain } from '../ports/chain.ts';

const request = { method: 'eth_blockNumber', params: [] };

export const silentEndpoints =
  (endpoints: Pick<RpcEndpoints, 'every'>): Chain['silentEndpoints'] =>
  async () => {
    const answers = await endpoints.every([request]);
    const silent = answers.flatMap((answer, index) => {
      if ('failure' in answer) return [index + 1];
      try {
        resultOf(answer.answers, 0, count);
        return [];
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error;
        return [index + 1];
      }
    });
    return silent.length === answers.length ? [] : silent;
  };
