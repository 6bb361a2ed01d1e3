import { ChainUnavailableError } from '../../nft/errors.ts';
import type { Hash } from '../../nft/hex.ts';
import type { Chain, Receipt, ReceiptLookup } from '../../nft/ports/chain.ts';
import type { EndpointAnswer, Endpoints } from './endpoints.ts';
import { blockRequest, type Finality, heightOf, heightRequest } from './finality.ts';
import { batchLimit, EndpointError, type RpcAnswer } from './json-rpc.ts';
import { blockSchema, receiptSchema, resultOf, transactionSchema } from './wire.ts';

/**
 * How many receipts are requested in one batch together with the node's height. Height and receipts must be in the same
 * batch, because the next batch to the same URL may reach another node.
 */
const lookedUpAtOnce = batchLimit / 2;

type ReceiptReader = Pick<Chain, 'receipts' | 'lookUpReceipts' | 'places' | 'blockHashes'>;

export function receiptReader(endpoints: Endpoints, finality: Finality): ReceiptReader {
  return {
    receipts: async (hashes) =>
      hashes.length === 0
        ? new Map()
        : endpoints.first(hashes.map(receiptRequest), (answers) =>
            mapOf(hashes, (hash, index) => receiptOf(answers, { index, hash })),
          ),

    places: async (hashes) =>
      hashes.length === 0
        ? new Map()
        : endpoints.first(
            hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
            (answers) => mapOf(hashes, (_, index) => placeOf(answers, index)),
          ),

    lookUpReceipts: async ({ hashes, asOf }) => {
      const lookUp = async (some: readonly Hash[]) => {
        // The height is requested before the receipts. So a node that reports a sufficient height had reached that
        // height before it looked for the receipts.
        const requests = [heightRequest(finality), ...some.map(receiptRequest)];
        const views = (await answersOf(endpoints, requests)).map((answer) =>
          receiptsSeen({ answer, hashes: some, finality, asOf }),
        );
        return mapOf(some, (hash) => agreedReceipt(views.map((view) => view.get(hash))));
      };
      const parts: Promise<ReadonlyMap<Hash, ReceiptLookup>>[] = [];
      for (let start = 0; start < hashes.length; start += lookedUpAtOnce) {
        parts.push(lookUp(hashes.slice(start, start + lookedUpAtOnce)));
      }
      return new Map((await Promise.all(parts)).flatMap((part) => [...part]));
    },

    blockHashes: async (numbers) => {
      const asked = [...new Set(numbers)];
      if (asked.length === 0) return new Map();
      const answers = (await endpoints.every(asked.map(blockRequest))).filter(
        (answer) => 'answers' in answer,
      );
      if (answers.length === 0)
        throw new ChainUnavailableError({ message: 'No RPC endpoint returned the requested blocks' });
      return mapOf(asked, (number, index) =>
        agreedHash(answers.map((answer) => hashSeen(answer.answers, { index, number }))),
      );
    },
  };
}

/**
 * Checks that the receipt is for the requested hash. Otherwise, if an endpoint mixed up its answers, one transaction
 * would get the outcome of another.
 * @throws EndpointError
 */
function receiptOf(
  answers: readonly RpcAnswer[],
  { index, hash }: { readonly index: number; readonly hash: Hash },
): Receipt | null {
  const receipt = resultOf(answers, index, receiptSchema);
  if (receipt !== null && receipt.transactionHash !== hash.toLowerCase()) {
    throw new EndpointError({ message: 'returned the receipt of another transaction' });
  }
  return receipt;
}

const receiptRequest = (hash: Hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] });

function mapOf<Key, Value>(
  keys: readonly Key[],
  value: (key: Key, index: number) => Value,
): ReadonlyMap<Key, Value> {
  return new Map(keys.map((key, index) => [key, value(key, index)]));
}

function placeOf(answers: readonly RpcAnswer[], index: number) {
  const transaction = resultOf(answers, index, transactionSchema);
  if (transaction === null) return 'absent';
  return typeof transaction.blockNumber === 'number' ? 'mined' : 'pool';
}

/** An unreadable list of endpoints counts as no answer, so the lookup stays `unknown`. */
async function answersOf(endpoints: Endpoints, requests: Parameters<Endpoints['every']>[0]) {
  try {
    return await endpoints.every(requests);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return [];
    throw error;
  }
}

/**
 * What one endpoint knows about each hash. A receipt always counts. `null`, for no receipt, counts only if the endpoint
 * has reached the block `asOf`.
 */
function receiptsSeen({
  answer,
  hashes,
  finality,
  asOf,
}: {
  readonly answer: EndpointAnswer;
  readonly hashes: readonly Hash[];
  readonly finality: Finality;
  readonly asOf: number;
}): ReadonlyMap<Hash, Receipt | null> {
  const seen = new Map<Hash, Receipt | null>();
  if ('failure' in answer) return seen;
  const height = answered(() => heightOf(answer.answers, { finality })) ?? -1;
  hashes.forEach((hash, index) => {
    const receipt = answered(() => receiptOf(answer.answers, { index: index + 1, hash }));
    if (receipt || (receipt === null && height >= asOf)) seen.set(hash, receipt);
  });
  return seen;
}

function agreedReceipt(seen: readonly (Receipt | null | undefined)[]): ReceiptLookup {
  const receipt = seen.find((one) => one !== undefined && one !== null);
  if (receipt) return { outcome: 'found', receipt };
  return seen.length > 0 && seen.every((one) => one === null)
    ? { outcome: 'absent' }
    : { outcome: 'unknown' };
}

function hashSeen(
  answers: readonly RpcAnswer[],
  { index, number }: { readonly index: number; readonly number: number },
): Hash | undefined {
  const block = answered(() => resultOf(answers, index, blockSchema));
  return block?.number === number ? block.hash : undefined;
}

/**
 * Endpoints without the block do not count. `null` if no endpoint has the block, or if two endpoints contradict each
 * other.
 */
function agreedHash(seen: readonly (Hash | undefined)[]): Hash | null {
  const hashes = new Set(seen.filter((hash) => hash !== undefined));
  const [hash] = hashes;
  return hashes.size === 1 && hash !== undefined ? hash : null;
}

function answered<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof EndpointError) return undefined;
    throw error;
  }
}
