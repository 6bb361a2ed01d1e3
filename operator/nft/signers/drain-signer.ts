import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { SignerId } from '../../../shared/nft/transactions/entry.ts';
import { firstState, type ReserveNonceDependencies } from '../../../shared/nft/transactions/nonce.ts';

export interface DrainSignerDependencies extends Omit<ReserveNonceDependencies, 'signers'> {
  readonly signers: Pick<Signers, 'find' | 'create' | 'setDraining'>;
}

/** Drains a signer. A signer that was never used has no item in the table yet, so its item is created first. */
export const drainSigner = async (dependencies: DrainSignerDependencies, id: SignerId): Promise<void> => {
  const { signers } = dependencies;
  if ((await signers.find(id)) === undefined) await signers.create(await firstState(dependencies, id));
  await signers.setDraining({ id, isDraining: true });
};
