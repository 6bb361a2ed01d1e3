import * as z from 'zod';
import { blockRequest } from '../../chain/rpc/finality.ts';
import { EndpointError } from '../../chain/rpc/json-rpc.ts';
import { readRequest, returnedAt } from '../../chain/rpc/read-calls.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { count, resultOf } from '../../chain/rpc/wire.ts';
import { decodeOwner, encodeOwnerOf } from '../collections/collection.ts';
import type { TokenOwners } from '../ports/token-owners.ts';

const namedBlock = z.object({ number: count, hash: z.string(), timestamp: count });

/** `ownerOf` of a collection uses far less gas than this: it reads one storage slot. */
const ownerGas = 100_000;

/**
 * Block and owner come from the same endpoint, because another endpoint may be at another block. The second batch may
 * reach another node, so it asks for the block again: the owner counts only if the block is the same.
 */
export const chainTokenOwners = (endpoints: Pick<RpcEndpoints, 'converse'>): TokenOwners => ({
  now: ({ contract, tokenId }) =>
    endpoints.converse(async (ask) => {
      const newest = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]);
      const { number, hash, timestamp } = resultOf(newest, 0, namedBlock);
      const call = { to: contract, data: encodeOwnerOf(BigInt(tokenId)), gas: ownerGas };
      const answers = await ask([readRequest(call, number), blockRequest(number)]);
      if (resultOf(answers, 1, namedBlock).hash !== hash) {
        throw new EndpointError({ message: `has another block ${number} by now` });
      }
      const returned = returnedAt(answers, 0);
      return {
        owner: returned === undefined ? undefined : decodeOwner(returned),
        blockNumber: number,
        at: timestamp * 1_000,
      };
    }),
});
