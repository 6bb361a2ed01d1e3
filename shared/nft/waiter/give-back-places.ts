import type { Nfts } from '../ports/nfts.ts';
import type { Supplies } from '../ports/supplies.ts';
import type { Finalization } from '../ports/transaction-log.ts';
import { mintedTokens } from '../transactions/entry.ts';
import { createsTokens } from '../transactions/purpose.ts';

export interface GiveBackPlacesDependencies {
  readonly nfts: Pick<Nfts, 'findRange'>;
  readonly supplies: Pick<Supplies, 'giveBackFailed'>;
}

/**
 * Releases a failed mint's places in a limited supply, before the failure is written to the log. If the process dies
 * between the two writes, the next one repeats the release, which then has no further effect. Only tokens that are stored
 * have places: a supply that was restored does not count those that were lost.
 */
export const giveBackPlaces = async (
  { nfts, supplies }: GiveBackPlacesDependencies,
  { entry: { purpose, nonce }, verdict }: Finalization,
): Promise<void> => {
  if (verdict.status !== 'failed' || !createsTokens(purpose)) return;
  const { applicationId, contract } = purpose;
  const tokens = mintedTokens(purpose);
  const [{ tokenId: from }] = tokens;
  const stored = await nfts.findRange({ applicationId, contract, from, to: tokens.at(-1)?.tokenId ?? from });
  const count = stored.filter((token) => token.nonce === nonce).length;
  if (count > 0) await supplies.giveBackFailed({ ...purpose, count });
};
