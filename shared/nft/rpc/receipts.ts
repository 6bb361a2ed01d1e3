import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Hash } from '../../chain/hex.ts';
import type { BlockId, Receipt } from '../../chain/receipt.ts';
import { blockRequest } from '../../chain/rpc/finality.ts';
import { EndpointError, type RpcAnswer } from '../../chain/rpc/json-rpc.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { blockSchema, receiptSchema, resultOf, transactionSchema } from '../../chain/rpc/wire.ts';
import { askWitnesses, requestsAtOnce, type Testimony } from '../../chain/rpc/witnesses.ts';
import type { Chain, ReceiptLookup } from '../ports/chain.ts';

type ReceiptReader = Pick<Chain, 'receipts' | 'lookUpReceipts' | 'whereabouts' | 'blockHashes'>;

export function receiptReader(endpoints: Pick<RpcEndpoints, 'first' | 'every'>): ReceiptReader {
  return {
    receipts: async (hashes) =>
      hashes.length === 0
        ? new Map()
        : endpoints.first(hashes.map(receiptRequest), (answers) =>
            mapOf(hashes, (hash, index) => receiptOf(answers, { index, hash })),
          ),

    whereabouts: async (hashes) =>
      hashes.length === 0
        ? new Map()
        : endpoints.first(
            hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
            (answers) => mapOf(hashes, (_, index) => placeOf(answers, index)),
          ),

    lookUpReceipts: async ({ hashes, at }) => {
      const parts: Promise<ReadonlyMap<Hash, ReceiptLookup>>[] = [];
      for (let start = 0; start < hashes.length; start += requestsAtOnce) {
        parts.push(lookUp(endpoints, { hashes: hashes.slice(start, start + requestsAtOnce), at }));
      }
      return new Map((await Promise.all(parts)).flatMap((part) => [...part]));
    },

    blockHashes: async ({ numbers, at }) => {
      const asked = [...new Set(numbers)];
      const testimonies = await askWitnesses(endpoints, {
        at,
        questions: asked.map((number) => ({
          request: blockRequest(number),
          read: (answers, index) => resultOf(answers, index, blockSchema),
        })),
      });
      return mapOf(asked, (number, index) =>
        agreedHash(
          (testimonies[index]?.said ?? []).flatMap((block) => (block?.number === number ? [block.hash] : [])),
        ),
      );
    },
  };
}

/** Looks up receipts in one batch. If the block has no witness, all outcomes are `unknown`. */
async function lookUp(
  endpoints: Pick<RpcEndpoints, 'every'>,
  { hashes, at }: { readonly hashes: readonly Hash[]; readonly at: BlockId },
): Promise<ReadonlyMap<Hash, ReceiptLookup>> {
  const questions = hashes.map((hash) => ({
    request: receiptRequest(hash),
    read: (answers: readonly RpcAnswer[], index: number) => receiptOf(answers, { index, hash }),
  }));
  try {
    const testimonies = await askWitnesses(endpoints, { at, questions });
    return mapOf(hashes, (_, index) => lookupOf(testimonies[index]));
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return mapOf(hashes, () => ({ outcome: 'unknown' }));
  }
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

function lookupOf(testimony: Testimony<Receipt | null> | undefined): ReceiptLookup {
  const { said, needed } = testimony ?? { said: [], needed: 1 };
  const receipts = said.filter((receipt) => receipt !== null);
  if (receipts.length > 0) {
    const isSaidOften = ({ blockHash, status }: Receipt) =>
      receipts.filter((one) => one.blockHash === blockHash && one.status === status).length >= needed;
    return { outcome: 'found', receipts, agreed: receipts.find(isSaidOften) };
  }
  return said.length >= needed ? { outcome: 'absent' } : { outcome: 'unknown' };
}

/** `null` if no witness has the block, or if two witnesses contradict each other. */
function agreedHash(seen: readonly Hash[]): Hash | null {
  const [hash, ...others] = new Set(seen);
  return hash === undefined || others.length > 0 ? null : hash;
}
