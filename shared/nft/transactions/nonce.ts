import type { SignerState } from '../ports/signers.ts';
import { addressOfSigner, type SignerId } from './entry.ts';
import type { Transacting } from './transacting.ts';

export interface TakenNonce {
  readonly nonce: number;
  readonly state: SignerState;
}

/** A signer that is met for the first time starts at the chain's pending count; what lies below is not ours. */
const firstState = async (
  { chain, clock, randomId }: Pick<Transacting, 'chain' | 'clock' | 'randomId'>,
  id: SignerId,
): Promise<SignerState> => {
  const [counts, finalized] = await Promise.all([
    chain.transactionCounts(addressOfSigner(id)),
    chain.finalizedBlock(),
  ]);
  return {
    id,
    nextNonce: counts.pending,
    lastTakenAt: clock(),
    generation: randomId(),
    minedCount: counts.latest,
    finalizedCount: counts.pending,
    finalizedHeight: finalized.number,
    unminedCost: 0n,
    costedThrough: counts.pending,
    fees: undefined,
    gap: undefined,
  };
};

/** Hands out the signer's next nonce. From here on it has to get an entry, of this handler's or of the waiter's. */
export const takeNonce = async (
  deps: Pick<Transacting, 'chain' | 'clock' | 'randomId' | 'signers'>,
  id: SignerId,
): Promise<TakenNonce> => {
  const { signers, clock } = deps;
  const taken = await signers.takeNonce({ id, at: clock() });
  if (taken !== undefined) return taken;
  await signers.create(await firstState(deps, id));
  const takenThen = await signers.takeNonce({ id, at: clock() });
  if (takenThen === undefined) throw new Error(`Signer ${id} was created and is not there`);
  return takenThen;
};

/** Whether a handler may send what it logged, or leaves that to the waiter: derived from the counts, never counted. */
export const isInFlight = ({
  nonce,
  minedCount,
  cap,
}: {
  readonly nonce: number;
  readonly minedCount: number;
  readonly cap: number;
}): boolean => nonce < minedCount + cap;
