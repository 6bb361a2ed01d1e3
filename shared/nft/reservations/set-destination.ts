import { type Address, isAddress } from '../../chain/hex.ts';
import { UserNotFoundError } from '../../users/errors.ts';
import {
  type RequireRegistrationsDependencies,
  requireRegistrations,
} from '../../users/require-registrations.ts';
import {
  NftFailedError,
  NftNotFoundError,
  NftNotReservedError,
  NotTransferableError,
  TokenChangedMeanwhileError,
} from '../errors.ts';
import { registeredOf } from '../history/registered.ts';
import type { Nfts } from '../ports/nfts.ts';
import { begin, keepResult } from '../submit/idempotency.ts';
import { requireLivingContract } from '../submit/own-contract.ts';
import type { Update } from '../submit/update.ts';
import type { Nft, NftKey } from '../tokens/nft.ts';
import { referenceOfTokens } from '../transactions/references.ts';
import { type ChangeReservedDependencies, changeReserved } from './change-reserved.ts';
import { type SubmitClaimDependencies, submitClaim } from './claim.ts';
import { reservationHolder } from './holder.ts';
import { nobody, standInOf } from './stand-in.ts';

export type SetDestinationDependencies = ChangeReservedDependencies &
  SubmitClaimDependencies &
  RequireRegistrationsDependencies & { readonly nfts: Pick<Nfts, 'find' | 'findRange'> };

export interface DestinationChange extends Update {
  readonly tokenId: string;
  /** An address, or the application's identifier for a user. */
  readonly destination: string;
}

const find = async ({ nfts }: Pick<SetDestinationDependencies, 'nfts'>, token: NftKey): Promise<Nft> => {
  const nft = await nfts.find(token);
  if (nft === undefined) throw new NftNotFoundError({ address: token.contract, tokenId: token.tokenId });
  return nft;
};

/** @throws NftFailedError, NftNotReservedError */
const requireReserved = ({ contract: address, tokenId, status, failureReason: reason }: Nft): void => {
  if (status === 'failed') throw new NftFailedError({ address, tokenId, reason });
  if (status !== 'reserved') throw new NftNotReservedError({ address, tokenId });
};

/**
 * Gives a reserved token to another user, or has it minted to an address. If it goes there already, returns the token.
 * @throws ContractNotFoundError, ContractFailedError, NftNotFoundError, NftFailedError, NftNotReservedError,
 * UserNotFoundError, NotTransferableError, TokenChangedMeanwhileError when another request changed the token first, and
 * for an address the errors of `submitClaim`.
 */
export const setDestination = async (
  dependencies: SetDestinationDependencies,
  { tokenId, destination, ...update }: DestinationChange,
): Promise<Nft> => {
  const { application, idempotency, contract } = update;
  const key = { applicationId: application.id, contract, tokenId };
  const answerEarlier = (): Promise<Nft> => {
    idempotency.onRepeated?.();
    return find(dependencies, key);
  };
  const begun = await begin(dependencies, update, async () => {
    const collection = await requireLivingContract(dependencies, key);
    const token = await find(dependencies, key);
    if (isAddress(destination)) {
      if (!isOnItsWayTo(token, destination)) requireReserved(token);
      return { collection, token };
    }
    const registrations = await requireRegistrations(dependencies, {
      application,
      applicationUserSubs: [destination],
    });
    requireReserved(token);
    return { collection, token, registrations };
  });
  if (begun.outcome === 'repeated') return answerEarlier();
  const { hold, startedAt } = begun;
  const { collection, token, registrations } = begun.required;
  const unchanged = async (): Promise<Nft> => {
    const kept = await keepResult(dependencies, { hold, result: referenceOfTokens([token]) });
    return kept === 'kept' ? token : answerEarlier();
  };

  if (isAddress(destination)) {
    if (isOnItsWayTo(token, destination)) return unchanged();
    const { applicationId, reservedFor = nobody } = token;
    const registered = await registeredOf(dependencies, { applicationId, standIns: [reservedFor] });
    const claimed = await submitClaim(dependencies, {
      application,
      token,
      registrationId: registered.get(reservedFor),
      address: destination,
      hold,
      quota: { what: 'mints', by: 1, limit: application.limits.mintsPerDay },
      startedAt,
    }).catch((error: unknown) => {
      // The receiver was removed a moment ago. Then the token is nobody's, and the same request mints it to the address.
      if (error instanceof UserNotFoundError) {
        throw new TokenChangedMeanwhileError({ address: contract, tokenId });
      }
      return explained(dependencies, error, token);
    });
    if (claimed === 'repeated') return answerEarlier();
    return find(dependencies, key);
  }

  const standIn = standInOf(destination);
  if (token.reservedFor === standIn) return unchanged();
  if (collection.transferable === false) throw new NotTransferableError({ address: contract });
  const holder = reservationHolder({ registrationId: registrations?.get(destination) ?? '', contract });
  const changed = await changeReserved(dependencies, {
    change: { kind: 'assignment', tokens: [token], to: { standIn, holder } },
    by: update.by,
    hold,
    startedAt,
  }).catch((error: unknown) => explained(dependencies, error, token));
  if (changed === 'repeated') return answerEarlier();
  return find(dependencies, key);
};

const isOnItsWayTo = ({ status, reservedFor, destination }: Nft, address: Address): boolean =>
  reservedFor !== undefined && (status === 'pending' || status === 'confirmed') && destination === address;

/**
 * If another request changed the token first, throws the error for the token's state now, such as no longer reserved.
 */
const explained = async (
  dependencies: Pick<SetDestinationDependencies, 'nfts'>,
  error: unknown,
  token: Nft,
): Promise<never> => {
  if (error instanceof TokenChangedMeanwhileError) requireReserved(await find(dependencies, token));
  throw error;
};
