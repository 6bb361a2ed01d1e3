import type { SignerState } from '../../../shared/nft/ports/signers.ts';

/** A signer's item, of one that has done nothing yet. */
export const aSignerState = (changes: Partial<SignerState> = {}): SignerState => ({
  id: '137#0x00000000000000000000000000000000000000aa',
  nextNonce: 0,
  lastTakenAt: 0,
  generation: 'generation',
  minedCount: 0,
  finalizedCount: 0,
  finalizedHeight: 1,
  unminedCost: 0n,
  costedThrough: 0,
  fees: undefined,
  gap: undefined,
  isDraining: false,
  ...changes,
});
