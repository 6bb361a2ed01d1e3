import { ChainUnavailableError } from '../../chain/errors.ts';
import type { EndpointAnswer, RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import type { BroadcastResult, Chain } from '../ports/chain.ts';
import { sendErrorOutcome } from './send-errors.ts';

/**
 * Sends the signed transaction to one endpoint after the other, until one accepts it. Each endpoint receives it at most
 * once. After a refusal the next endpoint is still tried, because it may accept what a lagging endpoint refuses. If the
 * outcome is unknown, the caller decides whether to retry.
 */
export function broadcaster(endpoints: RpcEndpoints): Chain['broadcast'] {
  return async (raw) => {
    const results: BroadcastResult[] = [];
    try {
      for await (const answer of endpoints.inTurn([{ method: 'eth_sendRawTransaction', params: [raw] }])) {
        const result = resultOfSend(answer);
        if (result.outcome === 'accepted' || result.outcome === 'already-known') return result;
        results.push(result);
      }
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      results.push({ outcome: 'unknown', detail: error.message });
    }

    // A definite answer from any endpoint is better than `unknown`, which leaves open whether the transaction was
    // accepted.
    const detail = results.map((result) => result.detail).join('; ') || 'no RPC endpoint was asked';
    return { outcome: results.find((result) => result.outcome !== 'unknown')?.outcome ?? 'unknown', detail };
  };
}

function resultOfSend(answer: EndpointAnswer): BroadcastResult {
  const described = (text: string) => `${answer.endpoint}: ${text}`;
  if ('failure' in answer) return { outcome: 'unknown', detail: described(answer.failure.message) };
  const [sent] = answer.answers;
  if (sent !== undefined && 'error' in sent) {
    return { outcome: sendErrorOutcome(sent.error.message), detail: described(sent.error.message) };
  }
  return typeof sent?.result === 'string'
    ? { outcome: 'accepted', detail: described('accepted') }
    : { outcome: 'unknown', detail: described('malformed answer') };
}
