import { ChainUnavailableError } from '../../nft/errors.ts';
import type { BlockId, Call, CallResult, Chain } from '../../nft/ports/chain.ts';
import type { Endpoints } from './endpoints.ts';
import { blockOf, blockRequest } from './finality.ts';
import { EndpointError, type RpcAnswer, type RpcRequest } from './json-rpc.ts';
import { revertReasonOf } from './revert-reason.ts';
import { hex, resultOf, toQuantity } from './wire.ts';

export function stateReader(endpoints: Endpoints): Pick<Chain, 'hasCode' | 'call' | 'revertReason'> {
  /**
   * Requests the block `at` in the same batch as `request`. If an endpoint has a different block at this height, its
   * answers are ignored.
   */
  function asOf<Value>(
    at: BlockId,
    {
      request,
      accept,
    }: { readonly request: RpcRequest; readonly accept: (answers: readonly RpcAnswer[]) => Value },
  ): Promise<Value> {
    return endpoints.first([request, blockRequest(at.number)], (answers) => {
      if (blockOf(answers, 1).hash !== at.hash.toLowerCase()) {
        throw new EndpointError({ message: `has another block ${at.number}` });
      }
      return accept(answers);
    });
  }

  return {
    hasCode: (address, at) =>
      asOf(at, {
        request: { method: 'eth_getCode', params: [address, toQuantity(at.number)] },
        accept: (answers) => resultOf(answers, 0, hex) !== '0x',
      }),

    call: (call, at) =>
      asOf(at, { request: callRequest(call, at.number), accept: (answers) => callResultOf(answers, 0) }),

    // The call is repeated to find out why it reverted. It ran in the middle of the block `blockNumber`, but a node can
    // repeat it only on the state at the end of a block. So it is repeated on two states: the end of the previous
    // block, which lacks the transactions before the call, and the end of its own block, which also has those after it.
    revertReason: async (call, blockNumber) => {
      const blocks = [Math.max(0, blockNumber - 1), blockNumber];
      try {
        const results = await endpoints.first(
          blocks.map((block) => callRequest(call, block)),
          (answers) => blocks.map((_, index) => callResultOf(answers, index)),
        );
        return results.find((result) => result.outcome === 'reverted')?.reason;
      } catch (error) {
        if (error instanceof ChainUnavailableError) return undefined;
        throw error;
      }
    },
  };
}

function callRequest({ from, to, data, gas }: Call, block: number): RpcRequest {
  const transaction = { ...(from && { from }), to, data, ...(gas !== undefined && { gas: toQuantity(gas) }) };
  return { method: 'eth_call', params: [transaction, toQuantity(block)] };
}

/** A revert counts as a result. @throws EndpointError for any other error. */
function callResultOf(answers: readonly RpcAnswer[], index: number): CallResult {
  const answer = answers[index];
  if (answer !== undefined && 'error' in answer) {
    const reason = revertReasonOf(answer.error);
    if (reason !== undefined) return { outcome: 'reverted', reason };
  }
  return { outcome: 'returned', data: resultOf(answers, index, hex) };
}
