/** How the final block is determined: by the chain's own tag, or by depth if the stage does not trust the tag. */
import type { BlockId } from '../../nft/ports/chain.ts';
import type { Endpoints } from './endpoints.ts';
import { EndpointError, type RpcAnswer, type RpcRequest } from './json-rpc.ts';
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

export function heightRequest(finality: Finality): RpcRequest {
  return finality.kind === 'tag' ? blockRequest('finalized') : { method: 'eth_blockNumber', params: [] };
}

/** @throws EndpointError */
export function heightOf(
  answers: readonly RpcAnswer[],
  { index = 0, finality }: { index?: number; finality: Finality },
) {
  return finality.kind === 'tag'
    ? blockOf(answers, index).number
    : Math.max(0, resultOf(answers, index, count) - finality.blocks);
}

/** @throws EndpointError when the endpoint does not have the block. */
export function blockOf(answers: readonly RpcAnswer[], index = 0): BlockId {
  const block = resultOf(answers, index, blockSchema);
  if (block === null) throw new EndpointError({ message: 'does not have the block' });
  return block;
}

export async function finalizedBlock(endpoints: Endpoints, finality: Finality): Promise<BlockId> {
  if (finality.kind === 'tag')
    return endpoints.first([heightRequest(finality)], (answers) => blockOf(answers));
  const number = await endpoints.first([heightRequest(finality)], (answers) =>
    heightOf(answers, { finality }),
  );
  return endpoints.first([blockRequest(number)], (answers) => blockOf(answers));
}
