import { setTimeout } from 'node:timers/promises';
import type { Entry } from '../../shared/nft/entry.ts';
import type { Transacting } from '../../shared/nft/transacting.ts';

/** Waits until finality has decided all of these entries, and answers them as they are then. */
export const waitUntilDecided = async (
  { log }: Pick<Transacting, 'log'>,
  entries: readonly Entry[],
  {
    pollMilliseconds = 1_000,
    onProgress,
  }: { readonly pollMilliseconds?: number; readonly onProgress: (decided: number) => void },
): Promise<Entry[]> => {
  const decided: Entry[] = [];
  for (const { signer, nonce } of entries) {
    let found = await log.find({ signer, nonce });
    while (found === undefined || found.status === 'pending') {
      onProgress(decided.length);
      await setTimeout(pollMilliseconds);
      found = await log.find({ signer, nonce });
    }
    decided.push(found);
  }
  return decided;
};
