import { ChainUnavailableError } from '../../chain/errors.ts';
import type { BlockId } from '../../chain/receipt.ts';
import type { RpcAnswer, RpcRequest } from '../../chain/rpc/json-rpc.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { count, hex, resultOf, toQuantity } from '../../chain/rpc/wire.ts';
import { askWitnesses, type Testimony, type WitnessQuestion } from '../../chain/rpc/witnesses.ts';
import type { Call, CallResult, Chain } from '../ports/chain.ts';
import { revertReasonOf } from './revert-reason.ts';

export function stateReader(
  endpoints: Pick<RpcEndpoints, 'first' | 'every'>,
): Pick<Chain, 'minedCountAt' | 'hasCode' | 'call' | 'revertReason'> {
  return {
    minedCountAt: async (address, at) => {
      const { said } = await askOne(endpoints, at, {
        request: { method: 'eth_getTransactionCount', params: [address, toQuantity(at.number)] },
        read: (answers, index) => resultOf(answers, index, count),
      });
      return Math.min(...said);
    },

    hasCode: async (address, at) => {
      const { said, needed } = await askOne(endpoints, at, {
        request: { method: 'eth_getCode', params: [address, toQuantity(at.number)] },
        read: (answers, index) => resultOf(answers, index, hex),
      });
      if (said.some((code) => code !== '0x')) return true;
      if (said.length >= needed) return false;
      throw new ChainUnavailableError({
        message: `Too few RPC endpoints say whether ${address} has code as of block ${at.number}`,
      });
    },

    call: async (call, at) => {
      const { said, needed } = await askOne(endpoints, at, {
        request: callRequest(call, at.number),
        read: callResultOf,
      });
      const [result, ...others] = said;
      const isSaidByAll = others.every((other) => isSameResult(other, result));
      if (result !== undefined && isSaidByAll && said.length >= needed) return result;
      throw new ChainUnavailableError({
        message: `The RPC endpoints do not agree on a call to ${call.to} as of block ${at.number}`,
      });
    },

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

/** @throws ChainUnavailableError if no witness gives a usable answer. */
async function askOne<Value>(
  endpoints: Pick<RpcEndpoints, 'every'>,
  at: BlockId,
  question: WitnessQuestion<Value>,
): Promise<Testimony<Value>> {
  const [testimony] = await askWitnesses(endpoints, { at, questions: [question] });
  if (testimony !== undefined && testimony.said.length > 0) return testimony;
  throw new ChainUnavailableError({
    message: `No RPC endpoint gave a usable answer to ${question.request.method} as of block ${at.number}`,
  });
}

/** Two nodes may describe the same revert in different words. */
const isSameResult = (one: CallResult, other: CallResult | undefined): boolean =>
  one.outcome === 'returned'
    ? other?.outcome === 'returned' && other.data === one.data
    : other?.outcome === 'reverted';

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
