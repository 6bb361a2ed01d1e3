import type { Address } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import { encodeMint, mintGasLimit } from '../collections/collection.ts';
import { ClaimInProgressError, NftNotReservedError, TokenChangedMeanwhileError } from '../errors.ts';
import type { ClaimLease, ClaimLeases } from '../ports/claim-leases.ts';
import type { Hold } from '../ports/holds.ts';
import type { Nfts } from '../ports/nfts.ts';
import { type AdmissionRequest, type Admitted, admit } from '../submit/admit.ts';
import { requestLeaseMilliseconds } from '../submit/deadlines.ts';
import { giveBack } from '../submit/give-back.ts';
import { type RequireOwnContractDependencies, requireOwnContract } from '../submit/own-contract.ts';
import { broadcastRecorded, record, reserve, type SubmitDependencies } from '../submit/steps.ts';
import type { Nft } from '../tokens/nft.ts';

export type SubmitClaimDependencies = SubmitDependencies &
  RequireOwnContractDependencies & {
    readonly leases: ClaimLeases;
    readonly nfts: Pick<Nfts, 'find'>;
  };

export interface ClaimOrder {
  readonly application: Application;
  /** The reserved token as it was last read. */
  readonly token: Nft;
  /** The registration of the user for whom the token is reserved. `undefined`: the user has been removed. */
  readonly registrationId: string | undefined;
  /** The address to which the token is minted. */
  readonly address: Address;
  /** The request's hold on its idempotency key. */
  readonly hold: Hold | undefined;
  readonly quota: AdmissionRequest['quota'];
  readonly startedAt: number;
}

/**
 * A holder has at most one lease in a contract. The lease is taken before the nonce is reserved, so that of two
 * concurrent claims the second is refused before it costs a noop transaction. The lease ends when the claim is
 * recorded, or at the latest when its handler must have ended. The token is read again when the lease is taken, because
 * another claim of it may have been recorded since it was read.
 */
const takeLease = async (
  dependencies: Pick<
    SubmitClaimDependencies,
    'holds' | 'leases' | 'clock' | 'randomId' | 'counts' | 'supplies' | 'logger' | 'nfts'
  >,
  admitted: Admitted,
  token: Nft,
): Promise<Admitted> => {
  const { leases, clock, randomId, nfts } = dependencies;
  const { applicationId, contract, tokenId, holder = '' } = token;
  const lease: ClaimLease = { applicationId, contract, holder, owner: randomId() };
  try {
    const now = clock();
    const isOurs = await leases.take({ lease, at: now, leaseUntil: now + requestLeaseMilliseconds });
    if (!isOurs) throw new ClaimInProgressError();
  } catch (error) {
    await giveBack(dependencies, admitted.taken);
    throw error;
  }
  const taken = { ...admitted.taken, lease };
  try {
    const current = await nfts.find(token);
    if (current?.version !== token.version)
      throw new TokenChangedMeanwhileError({ address: contract, tokenId });
    return { ...admitted, taken };
  } catch (error) {
    await giveBack(dependencies, taken);
    throw error;
  }
};

/**
 * Mints a reserved token to an address, in the steps of a mint. The token already has its id and its place in the
 * supply. `repeated`: an earlier request with the same idempotency key claimed the token.
 *
 * @throws ContractNotFoundError, ContractFailedError, ClaimInProgressError, TokenChangedMeanwhileError when the token
 * is not reserved any more, or was changed since it was read, UserNotFoundError when the user has been removed since,
 * and the errors of `admit`.
 */
export const submitClaim = async (
  dependencies: SubmitClaimDependencies,
  { application, token, registrationId, address, hold, quota, startedAt }: ClaimOrder,
): Promise<'claimed' | 'repeated'> => {
  const { contract, tokenId, reservedFor, version } = token;
  if (reservedFor === undefined || version === undefined)
    throw new NftNotReservedError({ address: contract, tokenId });
  const collection = { applicationId: application.id, contract };
  const signer = await requireOwnContract(dependencies, collection);
  const gas = mintGasLimit(1);
  const admission = await admit(dependencies, { application, signer, hold, quota, gas, startedAt });
  if (admission.outcome === 'repeated') return 'repeated';

  const leased = await takeLease(dependencies, admission, token);
  const reserved = await reserve(dependencies, leased);
  const recorded = await record(dependencies, leased, {
    reserved,
    unsigned: {
      purpose: { kind: 'claim', ...collection, tokenId, destination: address },
      to: contract,
      data: encodeMint({ destination: address, tokenId: BigInt(tokenId) }),
      gas,
    },
    resource: {
      kind: 'claim',
      collection,
      tokenId,
      destination: address,
      reservedFor,
      registrationId,
      version,
    },
  });
  if (recorded.outcome === 'repeated') return 'repeated';
  await broadcastRecorded(dependencies, { ...recorded, startedAt });
  return 'claimed';
};
