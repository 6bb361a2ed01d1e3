import type { Address } from '../../chain/hex.ts';

export interface ContractApplications {
  /**
   * The id of the application that deployed the contract. `undefined` if the contract was not deployed with this
   * service. A contract that was created a moment ago may be missing.
   */
  applicationOf(contract: Address): Promise<string | undefined>;
}
