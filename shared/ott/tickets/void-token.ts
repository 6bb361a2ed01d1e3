import type { Clock } from '../../platform/time/clock.ts';
import { VoidLimitReachedError } from '../errors.ts';
import type { VoidChanges, VoidToken } from '../ports/void-tickets.ts';

/**
 * How many tokens of one contract may be void. All of them are in one item of at most 400 KB, also if their ids have 78
 * digits. A stream call must check all of them.
 */
export const voidTokensAtMost = 3_000;

export interface VoidOrder extends Pick<VoidToken, 'contract' | 'tokenId'> {
  /** The operation or the operator's command. */
  readonly by: string;
}

/**
 * Makes a token void, so that it gives access to no event, whoever holds it. A repeated call changes nothing.
 * @throws VoidLimitReachedError
 */
export const voidToken = async (
  { voidChanges, clock }: { readonly voidChanges: Pick<VoidChanges, 'add'>; readonly clock: Clock },
  token: VoidOrder,
): Promise<VoidToken> => {
  const added = await voidChanges.add({ ...token, voidedAt: Math.floor(clock()) });
  if (added === undefined) throw new VoidLimitReachedError({ limit: voidTokensAtMost });
  return added;
};

/** Makes a void token valid again. Returns whether it was void. */
export const unvoidToken = (
  { voidChanges, clock }: { readonly voidChanges: Pick<VoidChanges, 'remove'>; readonly clock: Clock },
  token: VoidOrder,
): Promise<boolean> => voidChanges.remove({ ...token, at: Math.floor(clock()) });
