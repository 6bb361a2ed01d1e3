import type { Table } from '../../platform/store/client.ts';
import type { ClaimLease, ClaimLeases } from '../ports/claim-leases.ts';
import type { Hold } from '../ports/holds.ts';
import { dynamoDbHolds, releaseHeld } from './holds.ts';
import type { Write } from './nft-items.ts';

/** A lease is stored like the hold of an idempotency key, but without a hash of a body. No caller's key is like it. */
const itemOf = ({ applicationId, contract, holder, owner }: ClaimLease): Hold => ({
  scope: { applicationId, operation: `claim in ${contract}`, key: holder },
  bodyHash: '',
  owner,
});

/** The write that ends a lease. It is refused if the lease is another request's by now. */
export const endLease = (TableName: string, lease: ClaimLease): Required<Pick<Write, 'Delete'>> =>
  releaseHeld(TableName, itemOf(lease));

export const dynamoDbClaimLeases = (table: Table): ClaimLeases => {
  const holds = dynamoDbHolds(table);
  return {
    take: async ({ lease, at, leaseUntil }) =>
      (await holds.take({ hold: itemOf(lease), at, leaseUntil })) === undefined,
    release: (lease) => holds.release(itemOf(lease)),
  };
};
