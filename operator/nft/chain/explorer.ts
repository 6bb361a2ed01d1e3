import type { Hash } from '../../../shared/chain/hex.ts';

/**
 * The address of a transaction's page at a block explorer, in the form of EIP-3091; `undefined` when the stage names no
 * explorer.
 */
export const transactionPage = (explorer: string | undefined, hash: Hash): string | undefined =>
  explorer === undefined ? undefined : `${explorer}/tx/${hash}`;
