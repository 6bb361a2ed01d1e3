import type { Hash } from '../../chain/hex.ts';
import type { BlockId, Receipt } from '../../chain/receipt.ts';
import type { Chain, ReceiptLookup } from '../ports/chain.ts';
import { type Entry, hashesOf } from '../transactions/entry.ts';
import { provesWork } from './proof.ts';

interface FinalReceiptsDependencies {
  readonly chain: Pick<Chain, 'receipts' | 'lookUpReceipts' | 'blockHashes'>;
}

/**
 * The receipts that are final as of the final block `at`: their blocks are not higher, and belong to the chain of this
 * block. The blocks are read after the receipts, so a reorganization in between cannot go unnoticed.
 */
export const onChainOf = async (
  { chain }: { readonly chain: Pick<Chain, 'blockHashes'> },
  { receipts, at }: { readonly receipts: readonly Receipt[]; readonly at: BlockId },
): Promise<Receipt[]> => {
  const low = receipts.filter(({ blockNumber }) => blockNumber <= at.number);
  if (low.length === 0) return [];
  const numbers = low.map(({ blockNumber }) => blockNumber);
  const hashes = await chain.blockHashes({ numbers, at });
  return low.filter(({ blockNumber, blockHash }) => hashes.get(blockNumber) === blockHash);
};

const receiptsFor = (entry: Entry, receipts: readonly Receipt[]): Receipt[] => {
  const hashes = new Set(hashesOf(entry));
  return receipts.filter(({ transactionHash }) => hashes.has(transactionHash));
};

const provingReceipt = (entry: Entry, receipts: readonly Receipt[]): Receipt | undefined =>
  receiptsFor(entry, receipts).find((receipt) => provesWork(receipt, entry.purpose));

export interface WithReceipt {
  readonly entry: Entry;
  readonly receipt: Receipt;
}

export interface FinalReceipts {
  readonly decidable: readonly WithReceipt[];
  /** The entries of which neither the preferred endpoint nor a witness of the final block has a receipt. */
  readonly absent: readonly Entry[];
}

/**
 * Finds the receipt that decides each entry, if it is final. A receipt that proves the entry's work may come from one
 * endpoint. A receipt that does not would make the entry fail for good, so it counts only if enough witnesses of the
 * final block have it, and none has a receipt that proves the work.
 */
export const findFinalReceipts = async (
  dependencies: FinalReceiptsDependencies,
  { entries, at }: { readonly entries: readonly Entry[]; readonly at: BlockId },
): Promise<FinalReceipts> => {
  const { chain } = dependencies;
  const answers = await chain.receipts(entries.flatMap(hashesOf));
  const known = answers
    .values()
    .filter((receipt) => receipt !== null)
    .toArray();
  const final = await onChainOf(dependencies, { receipts: known, at });
  const isAhead = (entry: Entry): boolean =>
    receiptsFor(entry, known).some(({ blockNumber }) => blockNumber > at.number);
  const open = entries.filter((entry) => provingReceipt(entry, final) === undefined && !isAhead(entry));

  const lookups: ReadonlyMap<Hash, ReceiptLookup> =
    open.length === 0 ? new Map() : await chain.lookUpReceipts({ hashes: open.flatMap(hashesOf), at });
  const found = lookups
    .values()
    .filter((lookup) => lookup.outcome === 'found')
    .toArray();
  const testified = await onChainOf(dependencies, {
    receipts: found.flatMap(({ receipts }) => receipts),
    at,
  });
  const agreed = new Set(found.map((lookup) => lookup.agreed));

  const decidable = entries.flatMap((entry): WithReceipt[] => {
    const receipt =
      provingReceipt(entry, final) ??
      provingReceipt(entry, testified) ??
      receiptsFor(entry, testified).find((one) => agreed.has(one));
    return receipt === undefined ? [] : [{ entry, receipt }];
  });
  const absent = open.filter(
    (entry) =>
      receiptsFor(entry, known).length === 0 &&
      hashesOf(entry).every((hash) => lookups.get(hash)?.outcome === 'absent'),
  );
  return { decidable, absent };
};
