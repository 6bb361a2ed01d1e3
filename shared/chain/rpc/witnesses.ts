/**
 * Queries data that decides an outcome. Only the answers of *witnesses* count: endpoints that have exactly the block as
 * of which the outcome is decided. An endpoint that lags or is on an abandoned fork is no witness.
 */

import { ChainUnavailableError } from '../errors.ts';
import type { BlockId } from '../receipt.ts';
import { blockOf, blockRequest } from './finality.ts';
import { batchLimit, EndpointError, type RpcAnswer, type RpcRequest } from './json-rpc.ts';
import type { EndpointAnswer, RpcEndpoints } from './rpc-endpoints.ts';

/**
 * How many requests are in one batch together with the request for the block. They must be in the same batch, because
 * the next batch to the same URL may reach another node.
 */
export const requestsAtOnce = batchLimit / 2;

/** How many witnesses must say that something is absent. If fewer endpoints are configured, all of them must. */
const denialsAtLeast = 2;

export interface WitnessQuestion<Value> {
  readonly request: RpcRequest;
  /** Parses the answer at an index. Throws EndpointError if the answer is unusable. */
  readonly read: (answers: readonly RpcAnswer[], index: number) => Value;
}

/** The witnesses' answers to one question. */
export interface Testimony<Value> {
  /** One value for each witness that gave a usable answer. */
  readonly said: readonly Value[];
  /** How many witnesses must say the same before an absence counts. */
  readonly needed: number;
}

/**
 * Asks every endpoint, and returns the witnesses' answers to each question.
 * @throws ChainUnavailableError if no endpoint is a witness.
 */
export async function askWitnesses<Value>(
  endpoints: Pick<RpcEndpoints, 'every'>,
  { at, questions }: { readonly at: BlockId; readonly questions: readonly WitnessQuestion<Value>[] },
): Promise<readonly Testimony<Value>[]> {
  const parts: Promise<readonly Testimony<Value>[]>[] = [];
  for (let start = 0; start < questions.length; start += requestsAtOnce) {
    parts.push(askAtOnce(endpoints, { at, questions: questions.slice(start, start + requestsAtOnce) }));
  }
  return (await Promise.all(parts)).flat();
}

async function askAtOnce<Value>(
  endpoints: Pick<RpcEndpoints, 'every'>,
  { at, questions }: { readonly at: BlockId; readonly questions: readonly WitnessQuestion<Value>[] },
): Promise<readonly Testimony<Value>[]> {
  const requests = questions.map(({ request }) => request);
  const answers = await endpoints.every([blockRequest(at.number), ...requests]);
  const doubts: string[] = [];
  const witnesses = answers.flatMap((answer) => {
    try {
      return [testimonyOf(answer, at)];
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      doubts.push(`${answer.endpoint}: ${error.message}`);
      return [];
    }
  });
  if (witnesses.length === 0) {
    const methods = [...new Set(requests.map(({ method }) => method))].join(', ');
    throw new ChainUnavailableError({
      message: `No RPC endpoint that has block ${at.number} answered ${methods} (${doubts.join('; ') || 'the list is empty'})`,
    });
  }
  const needed = Math.min(denialsAtLeast, answers.length);
  return questions.map(({ read }, index) => ({
    said: witnesses.flatMap((witness) => usable(() => read(witness, index))),
    needed,
  }));
}

/** The endpoint's answers, without the one about the block. @throws EndpointError if the endpoint is no witness. */
function testimonyOf(answer: EndpointAnswer, at: BlockId): readonly RpcAnswer[] {
  if ('failure' in answer) throw answer.failure;
  const [, ...answers] = answer.answers;
  if (blockOf(answer.answers).hash !== at.hash.toLowerCase()) {
    throw new EndpointError({ message: `has another block ${at.number}` });
  }
  return answers;
}

function usable<Value>(read: () => Value): readonly Value[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof EndpointError) return [];
    throw error;
  }
}
