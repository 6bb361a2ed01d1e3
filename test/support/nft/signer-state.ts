import type { SignerState } from '../../../shared/nft/ports/signers.ts';

/** The state of a signer that has not sent anything yet. */
export const aSignerState = (changes: Partial<SignerState> = {}): SignerState => ({
  id: '137#0x00000000000000000000000000000000000000aa',
  nextNonce: 0,
  lastTakenAt: 0,
  generation: 'generation',
  minedCount: 0,
  finalizedCount: 0,
  reopened: new Set(),
  finalizedHeight: 1,
  unminedCost: 0n,
  costedThrough: 0,
  fees: undefined,
  gap: undefined,
  isDraining: false,
  ...changes,
});
