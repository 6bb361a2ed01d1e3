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

/** A contract and its signer. */
export interface OwnContract extends ChosenSigner {
  readonly contract: Contract;
}

/**
 * Finds a contract of the application and its signer. This signer deployed the contract and is the only one that can
 * change it. A pending contract is accepted too, because the chain executes the signer's transactions in the order of
 * their nonces: the next transaction comes after the deployment.
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
    message: `Contract ${contract} belongs to signer ${found.signer}, but the stage has no key of this signer`,
  });
};
