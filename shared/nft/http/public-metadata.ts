import type { Contract } from '../collection/contract.ts';
import { ContractNotFoundError } from '../errors.ts';
import type { Address } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Status } from '../transactions/status.ts';

/** What failed was never made, and so has no metadata. */
export const findPublicContract = async (
  contracts: Pick<Contracts, 'findPublic'>,
  address: Address,
): Promise<Contract> => {
  const contract = await contracts.findPublic(address);
  if (contract === undefined || contract.status === 'failed') throw new ContractNotFoundError({ address });
  return contract;
};

/** What is confirmed does not change any more; what is pending may still fail. */
export const publicCaching = (status: Status): Record<string, string> => ({
  'cache-control': `public, max-age=${status === 'confirmed' ? 3_600 : 5}`,
});
