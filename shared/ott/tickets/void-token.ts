import type { Clock } from '../../platform/clock.ts';
import { VoidLimitReachedError } from '../errors.ts';
import type { VoidTickets, VoidToken } from '../ports/void-tickets.ts';

/**
 * How many tokens of one contract may be void. All of them are in one item of at most 400 KB, also if their ids have 78
 * digits. A stream call must check all of them.
 */
export const voidTokensAtMost = 3_000;

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
