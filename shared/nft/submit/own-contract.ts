import type { Contract } from '../collection/contract.ts';
import type { CollectionKey } from '../collection/nft.ts';
import { ChainUnavailableError, ContractFailedError, ContractNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Signers } from '../ports/signers.ts';
import type { ChosenSigner, KeyRing } from '../transactions/key-ring.ts';

export interface RequireOwnContractDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly keys: Pick<KeyRing, 'find'>;
  readonly signers: Pick<Signers, 'find'>;
}

/** The signer of a contract, and the contract. */
export interface OwnContract extends ChosenSigner {
  readonly contract: Contract;
}

/**
 * The signer of the application's contract: it deployed the contract and is the only one that can act in it. Nonce
 * order puts its next transaction after the deployment, so a pending contract will do.
 *
 * @throws ContractNotFoundError, ContractFailedError, ChainUnavailableError when the signer's key is not available.
 */
export const requireOwnContract = async (
  { contracts, keys, signers }: RequireOwnContractDependencies,
  { application, contract }: CollectionKey,
): Promise<OwnContract> => {
  const found = await contracts.find({ application, address: contract });
  if (found === undefined) throw new ContractNotFoundError({ address: contract });
  if (found.status === 'failed') {
    throw new ContractFailedError({ address: contract, reason: found.failureReason });
  }
  const known = await keys.find(found.signer);
  if (known !== undefined) {
    return { ...known, state: await signers.find(known.id), contract: found };
  }
  throw new ChainUnavailableError({
    message: `Contract ${contract} belongs to signer ${found.signer}, whose key the stage does not have`,
  });
};
