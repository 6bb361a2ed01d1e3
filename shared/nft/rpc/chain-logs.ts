/** Finds the transaction that emitted an event. Calls `eth_getLogs` for ranges of blocks that providers accept. */

import { ChainUnavailableError } from '../../chain/errors.ts';
import type { RpcRequest } from '../../chain/rpc/json-rpc.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { type FoundLog, logsSchema, resultOf, toQuantity } from '../../chain/rpc/wire.ts';
import { askWitnesses } from '../../chain/rpc/witnesses.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain, EventLookup, EventQuestion } from '../ports/chain.ts';

/** How many blocks one query covers. Providers limit a query to a few hundred or a few thousand blocks. */
export const blocksAtOnce = 500;
/** How many queries are in one batch. */
const queriesAtOnce = 20;
/** More than five hours on Polygon. */
const usualBlocks = blocksAtOnce * queriesAtOnce;
/** A search that a pass of the waiter begins in its last second must end before the function's timeout. */
const searchMilliseconds = 25_000;
/** A margin for inexact clocks and block times, at least this and a tenth of the searched blocks. */
const marginBlocks = 100;
/** How often a batch is sent if there are several: of many, one is rarely answered by enough endpoints at once. */
const triesAtMost = 3;

export interface EventReaderOptions {
  /** @default 2000 */
  readonly blockTimeMilliseconds?: number;
  /** How many blocks a usual search covers. @default 10000 */
  readonly eventBlocks?: number;
}

export function eventReader(
  endpoints: Pick<RpcEndpoints, 'every'>,
  {
    blockTimeMilliseconds = 2_000,
    eventBlocks = usualBlocks,
    clock,
  }: EventReaderOptions & { readonly clock: Clock },
): Pick<Chain, 'findEvent'> {
  /** From the oldest range of blocks to the newest. */
  function queriesFor({ address, topics, since, at, isUnlimited }: EventQuestion): RpcRequest[] {
    const blocks = Math.ceil(Math.max(0, clock() - since) / blockTimeMilliseconds);
    const age = blocks + Math.max(marginBlocks, Math.ceil(blocks / 10));
    const oldest = Math.max(0, at.number - (isUnlimited === true ? age : Math.min(age, eventBlocks - 1)));
    const queries: RpcRequest[] = [];
    for (let from = oldest; from <= at.number; from += blocksAtOnce) {
      const to = Math.min(at.number, from + blocksAtOnce - 1);
      const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
      queries.push({ method: 'eth_getLogs', params: [{ address, topics, ...range }] });
    }
    return queries;
  }

  async function search(question: EventQuestion, queries: readonly RpcRequest[]): Promise<EventLookup> {
    try {
      const testimonies = await askWitnesses(endpoints, {
        at: question.at,
        questions: queries.map((request) => ({
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
  }

  return {
    findEvent: async (question) => {
      const queries = queriesFor(question);
      const tries = queries.length > queriesAtOnce ? triesAtMost : 1;
      const deadline = clock() + searchMilliseconds;
      for (let start = 0; start < queries.length; start += queriesAtOnce) {
        if (start > 0 && clock() >= deadline) return { outcome: 'unknown', isTooLong: true };
        const batch = queries.slice(start, start + queriesAtOnce);
        let found = await search(question, batch);
        for (let tried = 1; found.outcome === 'unknown' && tried < tries; tried += 1)
          found = await search(question, batch);
        if (found.outcome !== 'absent') return found;
      }
      return { outcome: 'absent' };
    },
  };
}

/** A faulty endpoint may return logs of other events. Their transactions must not count as those that were searched. */
const isAskedFor = (log: FoundLog, { address, topics, at }: EventQuestion): boolean =>
  log.address === address.toLowerCase() &&
  log.blockNumber <= at.number &&
  topics.every((topic, index) => topic === null || log.topics[index] === topic.toLowerCase());
