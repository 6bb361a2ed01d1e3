import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { Target } from '../../platform/target/target.ts';
import { contractsOf } from '../chain/stores.ts';

/** All contracts of an application, newest first. */
export const allContracts = async (target: Target, applicationId: string): Promise<Contract[]> => {
  const contracts = contractsOf(target);
  const found: Contract[] = [];
  let after: string | undefined;
  do {
    const page = await contracts.list({
      applicationId,
      limit: 100,
      after,
    });
    found.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return found;
};
