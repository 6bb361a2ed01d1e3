import type { Clock } from '../../platform/clock.ts';
import { VoidLimitReachedError } from '../errors.ts';
import { type VoidTickets, type VoidToken, voidTokensAtMost } from '../ports/void-tickets.ts';

/**
 * Makes a token void, so that it gives access to no event, whoever holds it. A repeated call changes nothing.
 * @throws VoidLimitReachedError
 */
export const voidToken = async (
  { voidTickets, clock }: { readonly voidTickets: Pick<VoidTickets, 'add'>; readonly clock: Clock },
  token: Pick<VoidToken, 'contract' | 'tokenId'>,
): Promise<VoidToken> => {
  const added = await voidTickets.add({ ...token, voidedAt: Math.floor(clock()) });
  if (added === undefined) throw new VoidLimitReachedError({ limit: voidTokensAtMost });
  return added;
};
