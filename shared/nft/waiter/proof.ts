import type { Receipt } from '../../chain/receipt.ts';
import { hasLogOf, hasMintLog } from '../collections/collection.ts';
import { hasUpdateLog, updateFor } from '../collections/updates.ts';
import { mintedTokens } from '../transactions/entry.ts';
import { isUpdate, type Purpose } from '../transactions/purpose.ts';

/**
 * Whether a receipt proves that the transaction did the work of an entry with this purpose. Only logs prove it: a call
 * to an address without code succeeds too, but emits no log. A noop transaction has no work, so any receipt suffices.
 */
export const provesWork = ({ status, logs }: Receipt, purpose: Purpose): boolean => {
  if (purpose.kind === 'noop') return true;
  if (status !== 'success') return false;
  const { contract: collection } = purpose;
  if (isUpdate(purpose)) return hasUpdateLog({ logs, collection, update: updateFor(purpose) });
  switch (purpose.kind) {
    case 'deploy':
    case 'set-base':
      return hasLogOf({ logs, collection });
    case 'mint':
    case 'claim':
      return mintedTokens(purpose).every(({ destination, tokenId }) =>
        hasMintLog({ logs, collection, destination, tokenId: BigInt(tokenId) }),
      );
  }
};
