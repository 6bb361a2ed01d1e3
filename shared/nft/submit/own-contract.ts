import type { Contract } from '../collection/contract.ts';
import { ContractFailedError, ContractNotFoundError } from '../errors.ts';
import { ChainUnavailableError } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { CollectionKey } from '../ports/nfts.ts';
import type { SignerId } from '../transactions/entry.ts';

/**
 * The application's contract, if the signer can do something in it. Nonce order puts that after the deployment, so a
 * pending contract will do; only its own signer can.
 *
 * @throws ContractNotFoundError, ContractFailedError, ChainUnavailableError when it is another signer's.
 */
export const requireOwnContract = async (
  { contracts }: { readonly contracts: Pick<Contracts, 'find'> },
  { application, contract, signer }: CollectionKey & { readonly signer: SignerId },
): Promise<Contract> => {
  const found = await contracts.find({ application, address: contract });
  if (found === undefined) throw new ContractNotFoundError({ address: contract });
  if (found.status === 'failed') {
    throw new ContractFailedError({ address: contract, reason: found.failureReason });
  }
  if (found.signer === signer) return found;
  throw new ChainUnavailableError({
    message: `Contract ${contract} belongs to signer ${found.signer}, and here is ${signer}`,
  });
};
