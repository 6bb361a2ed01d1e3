/** Several batches of reads that must all show the same block, although the chain may be reorganised between them. */
import * as z from 'zod';
import { batchLimit, EndpointError, type RpcAnswer, type RpcRequest } from './json-rpc.ts';
import { type BlockParameter, isExecutionError, isLimitError } from './read-calls.ts';
import { blockSchema, resultOf, toQuantity } from './wire.ts';

type Ask = (requests: readonly RpcRequest[]) => Promise<readonly RpcAnswer[]>;

/** Asks the requests that `make` returns for the block. */
export type ReadAtBlock = (
  make: (block: BlockParameter) => readonly RpcRequest[],
) => Promise<readonly RpcAnswer[]>;

/** The endpoint does not know the block, or cannot read at a block that is named by its hash. */
class BlockLostError extends Error {
  override readonly name = 'BlockLostError';
}

type Head = NonNullable<z.output<typeof blockSchema>>;
const headSchema = blockSchema.pipe(z.custom<Head>((block) => block !== null, 'no block'));

const blockRequest = (block: string): RpcRequest => ({
  method: 'eth_getBlockByNumber',
  params: [block, false],
});

const triesAtMost = 4;

/**
 * One batch reaches one node. Each part leaves room in the batch for the request that identifies the block, and for the
 * one with which an endpoint's chain is checked.
 */
const partSize = batchLimit - 2;

const byHash =
  (ask: Ask, { hash }: Head): ReadAtBlock =>
  async (make) => {
    const answers = await ask(make({ blockHash: hash }));
    const isLost = answers.some(
      (answer) => 'error' in answer && !isExecutionError(answer.error) && !isLimitError(answer.error),
    );
    if (isLost) throw new BlockLostError();
    return answers;
  };

/** Each part of the requests also reads which block has the number, and counts only if it is the same block. */
const byNumber =
  (ask: Ask, { number, hash }: Head): ReadAtBlock =>
  async (make) => {
    const requests = make(number);
    const parts = Array.from({ length: Math.ceil(requests.length / partSize) }, (_, index) =>
      requests.slice(index * partSize, (index + 1) * partSize),
    );
    const answered = await Promise.all(
      parts.map(async (part) => {
        const answers = await ask([...part, blockRequest(toQuantity(number))]);
        if (resultOf(answers, part.length, blockSchema)?.hash !== hash) throw new BlockLostError();
        return answers.slice(0, part.length);
      }),
    );
    return answered.flat();
  };

/**
 * Lets `talk` read at the endpoint's newest block, which is named by its hash (EIP-1898). If the endpoint cannot do
 * that, the block is named by its number, and each batch checks the hash. If the chain was reorganised in between,
 * `talk` begins again at the new block.
 * @throws EndpointError
 */
export const atOneBlock = async <Value>(
  ask: Ask,
  talk: (read: ReadAtBlock) => Promise<Value>,
): Promise<Value> => {
  for (let tried = 0; tried < triesAtMost; tried += 1) {
    const head = resultOf(await ask([blockRequest('latest')]), 0, headSchema);
    try {
      return await talk(tried === 0 ? byHash(ask, head) : byNumber(ask, head));
    } catch (error) {
      if (!(error instanceof BlockLostError)) throw error;
    }
  }
  throw new EndpointError({ message: `another block had the same number at each of ${triesAtMost} tries` });
};
