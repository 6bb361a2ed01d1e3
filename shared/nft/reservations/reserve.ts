import type { Address } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import { ServiceUnavailableError } from '../../platform/errors.ts';
import {
  type RequireRegistrationsDependencies,
  requireRegistrations,
} from '../../users/require-registrations.ts';
import type { Contract } from '../collections/contract.ts';
import { IdempotencyKeyInUseError, IdsUsedError, LogBusyError, PlacesLostError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { DailyCounts } from '../ports/daily-counts.ts';
import type { Holds, ResourceReference } from '../ports/holds.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Reservation, ReservationOutcome, Reservations } from '../ports/reservations.ts';
import { holdAndCount, requireOpen } from '../submit/admit.ts';
import type { Backpressure } from '../submit/backpressure.ts';
import { handlerDeadline, holdingDeadline } from '../submit/deadlines.ts';
import { earlierTokens } from '../submit/earlier-tokens.ts';
import { giveBack, type Taken } from '../submit/give-back.ts';
import { begin, type Idempotency } from '../submit/idempotency.ts';
import { requireLivingContract } from '../submit/own-contract.ts';
import { writesAtMost } from '../submit/record-transaction.ts';
import { givingBack } from '../submit/steps.ts';
import { keepPlaces, type SupplyDependencies, takePlaces } from '../submit/supply.ts';
import { type WritePatientlyDependencies, writePatiently } from '../submit/write-patiently.ts';
import type { CollectionKey, Nft, NftMetadata } from '../tokens/nft.ts';
import { reservationHolder } from './holder.ts';
import { standInOf, unminted } from './stand-in.ts';

export type ReserveTokensDependencies = SupplyDependencies &
  WritePatientlyDependencies &
  RequireRegistrationsDependencies & {
    readonly contracts: Pick<Contracts, 'find'>;
    readonly nfts: Pick<Nfts, 'find' | 'findRange' | 'reserveTokenIds'>;
    readonly holds: Holds;
    readonly counts: DailyCounts;
    readonly reservations: Pick<Reservations, 'record'>;
    readonly backpressure: Backpressure;
  };

export interface ReservationRequest {
  readonly application: Application;
  readonly idempotency: Idempotency;
  readonly contract: Address;
  /** From 1 to `batchTokensAtMost` tokens. `destination` is the application's identifier for a user. */
  readonly tokens: readonly { readonly destination: string; readonly metadata: NftMetadata }[];
}

interface Requirements {
  readonly contract: Contract;
  readonly registrations: ReadonlyMap<string, string>;
}

const requirementsOf = async (
  dependencies: ReserveTokensDependencies,
  { application, contract, tokens }: ReservationRequest,
): Promise<Requirements> => {
  const found = await requireLivingContract(dependencies, { applicationId: application.id, contract });
  const applicationUserSubs = tokens.map(({ destination }) => destination);
  return {
    contract: found,
    registrations: await requireRegistrations(dependencies, { application, applicationUserSubs }),
  };
};

/** Reserves ids, and places in the supply if it is limited. */
const takeIds = async (
  dependencies: ReserveTokensDependencies,
  taken: Taken,
  {
    maxSupply,
    ...wanted
  }: CollectionKey & { readonly count: number; readonly maxSupply: number | undefined },
) => {
  if (maxSupply !== undefined) {
    const placed = await takePlaces(dependencies, { taken }, { ...wanted, maxSupply });
    return { taken: placed.taken, placed, firstTokenId: placed.taken.places.firstTokenId };
  }
  try {
    return { taken, placed: undefined, firstTokenId: await dependencies.nfts.reserveTokenIds(wanted) };
  } catch (error) {
    await giveBack(dependencies, taken);
    throw error;
  }
};

type Recorded =
  | { readonly outcome: 'recorded' }
  | { readonly outcome: 'repeated'; readonly result: ResourceReference };

/**
 * Determines the outcome of a write that got no response. One write stores the tokens and the key's result, so the key
 * is read first: if it has a result, the tokens were stored before.
 */
const readBack = async (
  { holds, nfts }: Pick<ReserveTokensDependencies, 'holds' | 'nfts'>,
  { tokens: [first], hold }: Reservation,
): Promise<ReservationOutcome | undefined> => {
  const key = hold === undefined ? undefined : await holds.find(hold.scope);
  if (first !== undefined && (await nfts.find(first))?.createdAt === first.createdAt)
    return { outcome: 'recorded' };
  if (key?.state === 'done') return { outcome: 'key-done', result: key.result };
  if (hold !== undefined && key?.owner !== hold.owner) return { outcome: 'key-lost' };
  return undefined;
};

const recordReservation = async (
  dependencies: ReserveTokensDependencies,
  reservation: Reservation,
  deadline: number,
): Promise<Recorded> => {
  const { result } = await writePatiently<ReservationOutcome>(dependencies, {
    what: `the reservation of token ${reservation.tokens[0]?.tokenId}`,
    write: () => dependencies.reservations.record(reservation),
    readBack: () => readBack(dependencies, reservation),
    writes: writesAtMost,
    deadline,
  });
  switch (result.outcome) {
    case 'recorded':
      return { outcome: 'recorded' };
    case 'key-done':
      return { outcome: 'repeated', result: result.result };
    case 'key-lost':
      throw new IdempotencyKeyInUseError();
    case 'places-lost':
      throw new PlacesLostError({
        message: 'Another request freed the places of a limited supply that this request had taken',
      });
    case 'ids-used':
      throw new IdsUsedError({ message: 'Other tokens have the ids that this request was given' });
    case 'busy':
      throw new LogBusyError({ message: `The table of tokens was busy at every try: ${result.reason}` });
  }
};

/**
 * Reserves tokens for users of the application: all of them or none, with ids in the order of `tokens`. No transaction
 * mints them yet, so the chain and the signers are not needed. If an earlier request with the same idempotency key
 * reserved tokens, returns those tokens instead. The steps are those of `mintTokens`, without the nonce.
 *
 * @throws ContractNotFoundError, ContractFailedError, UserNotFoundError, SupplyExhaustedError, and the errors of `admit`
 */
export const reserveTokens = async (
  dependencies: ReserveTokensDependencies,
  request: ReservationRequest,
): Promise<readonly Nft[]> => {
  const { clock } = dependencies;
  const { application, idempotency, contract, tokens } = request;
  const collection = { applicationId: application.id, contract };
  const answerEarlier = (result: ResourceReference): Promise<readonly Nft[]> => {
    idempotency.onRepeated?.();
    return earlierTokens(dependencies, collection, result);
  };

  const begun = await begin(dependencies, request, () => requirementsOf(dependencies, request));
  if (begun.outcome === 'repeated') return answerEarlier(begun.result);
  const { hold, startedAt } = begun;
  const { registrations, contract: stored } = begun.required;

  const quota = { what: 'mints', by: tokens.length, limit: application.limits.mintsPerDay } as const;
  requireOpen(dependencies, quota);
  if (clock() >= holdingDeadline(startedAt)) {
    throw new ServiceUnavailableError({ message: 'Too little time is left to reserve the tokens' });
  }
  const counted = await holdAndCount(dependencies, { application, hold, quota });
  if (counted.outcome === 'repeated') return answerEarlier(counted.result);

  const { taken, placed, firstTokenId } = await takeIds(dependencies, counted.taken, {
    ...collection,
    count: tokens.length,
    maxSupply: stored.maxSupply,
  });
  const createdAt = new Date(clock()).toISOString();
  const reserved = tokens.map(({ destination, metadata }, index): Nft => {
    const registrationId = registrations.get(destination);
    if (registrationId === undefined) throw new Error('The registration of a receiver was not read');
    return {
      ...collection,
      tokenId: String(Number(firstTokenId) + index),
      destination: standInOf(destination),
      reservedFor: standInOf(destination),
      holder: reservationHolder({ registrationId, contract }),
      version: 0,
      metadata,
      ...unminted,
      status: 'reserved',
      createdAt,
      hasHistory: true,
    };
  });
  const recorded = await givingBack(dependencies, {
    taken,
    record: () =>
      recordReservation(
        dependencies,
        { tokens: reserved, hold, places: placed?.taken.places },
        handlerDeadline(startedAt),
      ),
  });
  if (recorded.outcome === 'repeated') return answerEarlier(recorded.result);

  if (placed !== undefined) await keepPlaces(dependencies, placed);
  return reserved;
};
