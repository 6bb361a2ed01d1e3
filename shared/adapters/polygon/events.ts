/** Finds the transaction that emitted an event. Calls `eth_getLogs` for ranges of blocks that providers accept. */
import type { Clock } from '../../clock.ts';
import { ChainUnavailableError } from '../../nft/errors.ts';
import type { Chain, EventLookup, EventQuestion } from '../../nft/ports/chain.ts';
import type { EndpointAnswer, Endpoints } from './endpoints.ts';
import { blockOf, blockRequest } from './finality.ts';
import { EndpointError, type RpcRequest } from './json-rpc.ts';
import { logsSchema, resultOf, toQuantity } from './wire.ts';

/** How many blocks one query covers. Providers limit a query to a few hundred or a few thousand blocks. */
const blocksAtOnce = 500;
/** 20 queries of 500 blocks go back at most 10,000 blocks: more than five hours on Polygon. */
const questionsAtMost = 20;
/** A margin for inexact clocks and block times. */
const marginBlocks = 100;

export function eventReader(
  endpoints: Endpoints,
  {
    blockTimeMilliseconds = 2_000,
    clock,
  }: { readonly blockTimeMilliseconds?: number; readonly clock: Clock },
): Pick<Chain, 'findEvent'> {
  function questionsFor({ address, topics, since, at }: EventQuestion): RpcRequest[] {
    const age = Math.ceil(Math.max(0, clock() - since) / blockTimeMilliseconds) + marginBlocks;
    const oldest = Math.max(0, at.number - Math.min(age, blocksAtOnce * questionsAtMost - 1));
    const questions: RpcRequest[] = [];
    for (let from = oldest; from <= at.number; from += blocksAtOnce) {
      const to = Math.min(at.number, from + blocksAtOnce - 1);
      const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
      questions.push({ method: 'eth_getLogs', params: [{ address, topics, ...range }] });
    }
    return questions;
  }

  function seenBy(answer: EndpointAnswer, { at }: EventQuestion): EventLookup | undefined {
    if ('failure' in answer) return undefined;
    try {
      const [, ...answers] = answer.answers;
      if (blockOf(answer.answers).hash !== at.hash.toLowerCase()) return undefined;
      const [log] = answers.flatMap((_, index) => resultOf(answers, index, logsSchema));
      return log === undefined
        ? { outcome: 'absent' }
        : { outcome: 'found', transactionHash: log.transactionHash };
    } catch (error) {
      if (error instanceof EndpointError) return undefined;
      throw error;
    }
  }

  return {
    findEvent: async (question) => {
      try {
        const answers = await endpoints.every([blockRequest(question.at.number), ...questionsFor(question)]);
        const seen = answers.map((answer) => seenBy(answer, question));
        return (
          seen.find((lookup) => lookup?.outcome === 'found') ??
          seen.find((lookup) => lookup !== undefined) ?? { outcome: 'unknown' }
        );
      } catch (error) {
        if (error instanceof ChainUnavailableError) return { outcome: 'unknown' };
        throw error;
      }
    },
  };
}
