/** Finds the transaction that emitted an event. Calls `eth_getLogs` for ranges of blocks that providers accept. */
import type { Clock } from '../../platform/clock.ts';
import type { RpcEndpoints } from '../../platform/rpc/endpoints.ts';
import type { RpcRequest } from '../../platform/rpc/json-rpc.ts';
import { type FoundLog, logsSchema, resultOf, toQuantity } from '../../platform/rpc/wire.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Chain, EventQuestion } from '../ports/chain.ts';
import { askWitnesses } from './witnesses.ts';

/** How many blocks one query covers. Providers limit a query to a few hundred or a few thousand blocks. */
export const blocksAtOnce = 500;
/** 20 queries of 500 blocks go back at most 10,000 blocks: more than five hours on Polygon. */
const questionsAtMost = 20;
/** A margin for inexact clocks and block times. */
const marginBlocks = 100;

export function eventReader(
  endpoints: RpcEndpoints,
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

  return {
    findEvent: async (question) => {
      try {
        const testimonies = await askWitnesses(endpoints, {
          at: question.at,
          questions: questionsFor(question).map((request) => ({
            request,
            read: (answers, index) =>
              resultOf(answers, index, logsSchema).find((log) => isAskedFor(log, question)),
          })),
        });
        const [log] = testimonies.flatMap(({ said }) => said.filter((found) => found !== undefined));
        if (log !== undefined) return { outcome: 'found', transactionHash: log.transactionHash };
        const isAbsent = testimonies.every(({ said, needed }) => said.length >= needed);
        return { outcome: isAbsent ? 'absent' : 'unknown' };
      } catch (error) {
        if (error instanceof ChainUnavailableError) return { outcome: 'unknown' };
        throw error;
      }
    },
  };
}

/** A faulty endpoint may return logs of other events. Their transactions must not count as those that were searched. */
const isAskedFor = (log: FoundLog, { address, topics, at }: EventQuestion): boolean =>
  log.address === address.toLowerCase() &&
  log.blockNumber <= at.number &&
  topics.every((topic, index) => topic === null || log.topics[index] === topic.toLowerCase());
