import * as z from 'zod';
import { decodeOwner, encodeOwnerOf } from '../../nft/collection/collection.ts';
import type { TokenOwners } from '../../nft/ports/token-owners.ts';
import type { Endpoints } from './endpoints.ts';
import { readRequest, returnedAt } from './read-calls.ts';
import { count, resultOf } from './wire.ts';

const newestBlock = z.object({ number: count, timestamp: count });

/** `ownerOf` of a collection uses far less gas than this: it reads one storage slot. */
const ownerGas = 100_000;

/** Block and owner come from the same endpoint, because another endpoint may be at another block. */
export const chainTokenOwners = (endpoints: Pick<Endpoints, 'converse'>): TokenOwners => ({
  now: ({ contract, tokenId }) =>
    endpoints.converse(async (ask) => {
      const newest = await ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]);
      const { number, timestamp } = resultOf(newest, 0, newestBlock);
      const call = { to: contract, data: encodeOwnerOf(BigInt(tokenId)), gas: ownerGas };
      const returned = returnedAt(await ask([readRequest(call, number)]), 0);
      return {
        owner: returned === undefined ? undefined : decodeOwner(returned),
        blockNumber: number,
        at: timestamp * 1_000,
      };
    }),
});
