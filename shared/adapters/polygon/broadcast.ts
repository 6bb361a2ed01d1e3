import { ChainUnavailableError } from '../../nft/errors.ts';
import type { BroadcastResult, Chain } from '../../nft/ports/chain.ts';
import type { EndpointAnswer, Endpoints } from './endpoints.ts';
import { sendErrorOutcome } from './send-errors.ts';

/**
 * Each endpoint gets the bytes at most once: what follows an unknown outcome is the caller's decision. A refusal does
 * not end the round, because a lagging endpoint refuses what another accepts.
 */
export function broadcaster(endpoints: Endpoints): Chain['broadcast'] {
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

    // An unknown outcome may hide an acceptance; another endpoint's clear answer says more.
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
