import type { Hash } from '../../../shared/chain/hex.ts';
import type { Receipt } from '../../../shared/chain/receipt.ts';

/** The receipt of a transaction that succeeded in block 5 and emitted no event. */
export const aReceipt = (transactionHash: Hash, changes: Partial<Receipt> = {}): Receipt => ({
  transactionHash,
  blockNumber: 5,
  blockHash: '0x05',
  status: 'success',
  gasUsed: 21_000n,
  logs: [],
  ...changes,
});
