import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { SignerId } from '../../../shared/nft/transactions/entry.ts';
import { type ReserveNonceDependencies, stateOf } from '../../../shared/nft/transactions/nonce.ts';

export interface DrainSignerDependencies extends Omit<ReserveNonceDependencies, 'signers'> {
  readonly signers: Pick<Signers, 'find' | 'create' | 'setDraining'>;
}

/** Drains a signer. A signer that was never used has no item in the table yet, so its item is created first. */
export const drainSigner = async (dependencies: DrainSignerDependencies, id: SignerId): Promise<void> => {
  await stateOf(dependencies, id);
  await dependencies.signers.setDraining({ id, isDraining: true });
};
