import type { Hash } from '../../shared/nft/hex.ts';

/** A transaction's page at a block explorer, whose paths EIP-3091 names; `undefined` where the stage has none. */
export const transactionPage = (explorer: string | undefined, hash: Hash): string | undefined =>
  explorer === undefined ? undefined : `${explorer}/tx/${hash}`;
