/** How the final block is determined: by the chain's own tag, or by depth if the stage does not trust the tag. */

import type { BlockId } from '../receipt.ts';
import { EndpointError, type RpcAnswer, type RpcRequest } from './json-rpc.ts';
import type { RpcEndpoints } from './rpc-endpoints.ts';
import { blockSchema, count, resultOf, toQuantity } from './wire.ts';

export type Finality =
  /** The block with the tag `finalized`, which follows Polygon's milestones. */
  | { readonly kind: 'tag' }
  /** The newest block with this number of blocks above it. */
  | { readonly kind: 'confirmations'; readonly blocks: number };

export const blockRequest = (block: number | 'finalized'): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [block === 'finalized' ? block : toQuantity(block), false],
});

/** @throws EndpointError when the endpoint does not have the block. */
export function blockOf(answers: readonly RpcAnswer[], index = 0): BlockId {
  const block = resultOf(answers, index, blockSchema);
  if (block === null) throw new EndpointError({ message: 'does not have the block' });
  return block;
}

const heightRequest: RpcRequest = { method: 'eth_blockNumber', params: [] };

export function finalizedBlock(
  endpoints: Pick<RpcEndpoints, 'first' | 'converse'>,
  finality: Finality,
): Promise<BlockId> {
  if (finality.kind === 'tag') {
    return endpoints.first([blockRequest('finalized')], (answers) => blockOf(answers));
  }
  const finalHeight = (answers: readonly RpcAnswer[]) =>
    Math.max(0, resultOf(answers, 0, count) - finality.blocks);
  // The same endpoint answers both batches: on another endpoint, the block may have fewer blocks above it. The second
  // batch may still reach another node, so it asks for the height again.
  return endpoints.converse(async (ask) => {
    const number = finalHeight(await ask([heightRequest]));
    const answers = await ask([heightRequest, blockRequest(number)]);
    if (finalHeight(answers) < number) throw new EndpointError({ message: 'went back to a lower block' });
    return blockOf(answers, 1);
  });
}
