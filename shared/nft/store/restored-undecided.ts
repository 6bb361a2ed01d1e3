/** What restored contracts, tokens and entries leave to be decided after all items have come back. */
import * as z from 'zod';
import type { Item, ItemKind, Restoring } from '../../platform/store/restored-items.ts';
import type { Undecided } from '../restored/undecided.ts';

const pendingSchema = z.object({ status: z.literal('pending'), nonce: z.int() });

/**
 * The nonces of the pending transactions of a contract or token: of its creation, and of the last change of each part.
 */
export const pendingNonces = (item: Item): number[] =>
  [item, ...Object.values(item)].flatMap((each) => pendingSchema.safeParse(each).data?.nonce ?? []);

/** What becomes of an item, and what it leaves undecided. */
export interface ItemDecision {
  readonly becomes: Restoring;
  readonly undecided?: Partial<Undecided>;
}

/** Collects in `undecided` what is undecided of each item. */
export const collecting =
  (
    undecided: Undecided,
    decide: (restored: Item, live: Item | undefined) => ItemDecision | Promise<ItemDecision>,
  ): ItemKind['decide'] =>
  async (restored, live) => {
    const { becomes, undecided: { entries = [], resources = [], reservations = [] } = {} } = await decide(
      restored,
      live,
    );
    undecided.entries.push(...entries);
    undecided.resources.push(...resources);
    undecided.reservations.push(...reservations);
    return becomes;
  };
