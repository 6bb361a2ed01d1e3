import { waitFor } from 'template-runtime/testing/wait.ts';
import type { Hash, TransactionReceipt } from 'viem';

/**
 * Waits for the receipt of a transaction. viem's own wait looks for it only when there is a new block, but a node that mines
 * a block for each transaction may announce the last one before its receipts can be read.
 */
export const minedReceipt = (
  client: { getTransactionReceipt(of: { readonly hash: Hash }): Promise<TransactionReceipt> },
  hash: Hash,
): Promise<TransactionReceipt> => waitFor(() => client.getTransactionReceipt({ hash }), { interval: 20 });
