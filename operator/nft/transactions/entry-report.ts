import { formatGwei } from 'viem/utils';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import { hashesOf, type LoggedEntry, lastAttempt } from '../../../shared/nft/transactions/entry.ts';
import { amount } from '../../platform/terminal/output.ts';
import { transactionPage } from '../chain/explorer.ts';
import { ifAnswered } from '../chain/if-answered.ts';
import { kindOf, purposeFields } from './open-entries.ts';

const statusText = ({ status, supersedes }: LoggedEntry): string =>
  supersedes === undefined ? status : `${status}, takes over nonce ${supersedes}`;

/**
 * An entry with each transaction that was signed for it, and what an RPC endpoint now reports about that transaction.
 * The transaction's `place` is `unknown` if no endpoint answers.
 */
export const entryReport = async (
  {
    chain,
    explorer,
  }: { readonly chain: Pick<Chain, 'whereabouts' | 'receipts'>; readonly explorer?: string | undefined },
  entry: LoggedEntry,
) => {
  const hashes = hashesOf(entry);
  const [places, receipts] = await Promise.all([
    ifAnswered(chain.whereabouts(hashes)),
    ifAnswered(chain.receipts(hashes)),
  ]);
  const { purpose } = entry;
  return {
    signer: entry.signer,
    nonce: entry.nonce,
    status: statusText(entry),
    ...purposeFields(entry),
    ...(purpose.kind === 'mint' ? { destinations: purpose.destinations } : {}),
    ...(purpose.kind === 'claim' ? { destinations: [purpose.destination] } : {}),
    ...(purpose.kind === 'set-base' ? { base: purpose.base } : {}),
    gas_limit: entry.gas.toString(),
    explorer: transactionPage(explorer, entry.minedHash ?? lastAttempt(entry).hash),
    tried_at: entry.triedAt === undefined ? undefined : new Date(entry.triedAt).toISOString(),
    attempts: entry.attempts.map((attempt) => {
      const receipt = receipts?.get(attempt.hash) ?? undefined;
      return {
        hash: attempt.hash,
        does: attempt.cancels === true ? 'cancel' : kindOf(purpose),
        signed_at: new Date(attempt.signedAt).toISOString(),
        max_fee_gwei: amount(formatGwei(attempt.maxFeePerGas)),
        tip_gwei: amount(formatGwei(attempt.maxPriorityFeePerGas)),
        place: places === undefined ? 'unknown' : places.get(attempt.hash),
        result: receipt?.status,
        block: receipt?.blockNumber,
        gas_used: receipt?.gasUsed.toString(),
      };
    }),
  };
};
