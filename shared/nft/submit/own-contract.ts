import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Contract } from '../collections/contract.ts';
import { ContractFailedError, ContractNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Signers } from '../ports/signers.ts';
import type { CollectionKey } from '../tokens/nft.ts';
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

/** @throws ContractNotFoundError, ContractFailedError */
export const requireLivingContract = async (
  { contracts }: Pick<RequireOwnContractDependencies, 'contracts'>,
  { applicationId, contract }: CollectionKey,
): Promise<Contract> => {
  const found = await contracts.find({ applicationId, address: contract });
  if (found === undefined) throw new ContractNotFoundError({ address: contract });
  if (found.status === 'failed') {
    throw new ContractFailedError({ address: contract, reason: found.failureReason });
  }
  return found;
};

/**
 * Finds a contract of the application, and the signer that deployed it. Only this signer can change the contract. A
 * pending contract is accepted too: the signer's next transaction has a higher nonce than the deployment, so the chain
 * executes that transaction after the deployment.
 *
 * @throws ContractNotFoundError, ContractFailedError, ChainUnavailableError when the signer's key is not available.
 */
export const requireOwnContract = async (
  { contracts, keys, signers }: RequireOwnContractDependencies,
  { applicationId, contract }: CollectionKey,
): Promise<OwnContract> => {
  const found = await requireLivingContract({ contracts }, { applicationId, contract });
  const known = await keys.find(found.signer);
  if (known !== undefined) {
    return { ...known, state: await signers.find(known.id), contract: found };
  }
  throw new ChainUnavailableError({
    message: `Contract ${contract} belongs to signer ${found.signer}, but the stage has no key of this signer`,
  });
};
