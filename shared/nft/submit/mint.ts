import type { Address } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import { encodeMint, encodeMintBatch, mintGasLimit } from '../collections/collection.ts';
import type { ResourceReference } from '../ports/holds.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { CollectionKey, Nft, NftMetadata } from '../tokens/nft.ts';
import { signedOf, type UnsignedResource } from '../transactions/entry.ts';
import type { UnsignedEntry } from '../transactions/sign.ts';
import { type Admitted, admit } from './admit.ts';
import { earlierTokens } from './earlier-tokens.ts';
import { begin, type Idempotency } from './idempotency.ts';
import { type RequireOwnContractDependencies, requireOwnContract } from './own-contract.ts';
import { broadcastRecorded, record, reserve, reserveWithTokenIds, type SubmitDependencies } from './steps.ts';
import { keepPlaces, type SupplyDependencies, takePlaces } from './supply.ts';

export type MintDependencies = SubmitDependencies &
  RequireOwnContractDependencies &
  SupplyDependencies & { readonly nfts: Pick<Nfts, 'findRange' | 'reserveTokenIds'> };

interface NewToken {
  readonly destination: Address;
  readonly metadata: NftMetadata;
}

export interface Mint {
  readonly application: Application;
  readonly idempotency: Idempotency;
  readonly contract: Address;
  /** From 1 to `batchTokensAtMost` tokens. */
  readonly tokens: readonly NewToken[];
}

/** Tokens with consecutive ids. */
interface Batch {
  readonly collection: CollectionKey;
  readonly firstTokenId: string;
  readonly tokens: readonly NewToken[];
}

/** The call that mints these tokens. A single token is minted with `mint`, because `mintBatch` would cost more gas. */
const unsignedMint = ({ collection, firstTokenId, tokens }: Batch): UnsignedEntry => {
  const destinations = tokens.map(({ destination }) => destination);
  const [destination, ...others] = destinations;
  const first = BigInt(firstTokenId);
  return {
    purpose: { kind: 'mint', ...collection, firstTokenId, destinations },
    to: collection.contract,
    data:
      destination !== undefined && others.length === 0
        ? encodeMint({ destination, tokenId: first })
        : encodeMintBatch({ destinations, firstTokenId: first }),
    gas: mintGasLimit(tokens.length),
  };
};

/**
 * Reserves the nonce and the token ids, concurrently if the supply is not limited. If the supply is limited, first
 * reserves places in the supply together with the token ids, and then the nonce. The returned `admitted` then also
 * contains the places, because they are checked when the mint is recorded: the recording fails if another request has
 * blocked them.
 */
const reserveNonceAndTokenIds = async (
  dependencies: MintDependencies,
  admission: Admitted,
  {
    maxSupply,
    ...wanted
  }: CollectionKey & { readonly count: number; readonly maxSupply: number | undefined },
) => {
  if (maxSupply === undefined) {
    const { firstTokenId, ...reserved } = await reserveWithTokenIds(dependencies, admission, wanted);
    return { admitted: admission, placed: undefined, reserved, firstTokenId };
  }
  const placed = await takePlaces(dependencies, admission, { ...wanted, maxSupply });
  const reserved = await reserve(dependencies, placed);
  return { admitted: placed, placed, reserved, firstTokenId: placed.taken.places.firstTokenId };
};

/** The tokens as they are stored, except for the nonce and the hash of the transaction that mints them. */
const newTokens = (
  { collection, firstTokenId, tokens }: Batch,
  createdAt: string,
): Extract<UnsignedResource, { readonly kind: 'nfts' }> => ({
  kind: 'nfts',
  nfts: tokens.map(({ destination, metadata }, index) => ({
    ...collection,
    tokenId: String(Number(firstTokenId) + index),
    destination,
    metadata,
    status: 'pending',
    createdAt,
    hasHistory: true,
  })),
});

/**
 * Mints tokens into one of the application's contracts with one transaction: all of them or none, with ids in the order
 * of `tokens`. If an earlier request with the same idempotency key minted tokens, returns those tokens instead.
 *
 * ```
 * step        what it does                               what happens if the process dies after this step
 * admit       refuses what cannot be done now,           the key is free again when its lease expires; the daily
 *             takes the key, adds to the daily count     count stays too high until the end of the day
 * takePlaces  reserves places and token ids,             in addition: a mint into the same collection, at least 15
 *             if the supply is limited                   seconds later, releases the places
 * reserve     reserves the nonce, and concurrently the   in addition: within a minute the schedule starts a waiter,
 *             token ids if the supply is not limited     which fills the nonce with a noop transaction
 * record      signs the transaction; writes it, the      the tokens will be minted: the log's stream or the schedule
 *             tokens and the key's result in one write   starts a waiter, which sends the transaction; a later
 *                                                        mint into the same collection confirms the places
 * broadcast   tries to send the transaction, and         the waiter sends the transaction again if necessary; a later
 *             concurrently confirms the places           mint into the same collection confirms the places
 * ```
 *
 * Confirmed places stay taken. Places that are only reserved are released if their tokens were not recorded.
 *
 * If a step fails, this function undoes the earlier steps: it fills the nonce with a noop transaction, releases the key
 * and the places, and subtracts the request from the daily count. Then it throws the error. If it is unknown whether
 * the transaction was recorded, the places stay reserved and the daily count is not reduced.
 */
export const mintTokens = async (dependencies: MintDependencies, request: Mint): Promise<readonly Nft[]> => {
  const { application, idempotency, contract, tokens } = request;
  const collection = { applicationId: application.id, contract };
  const answerEarlier = (result: ResourceReference): Promise<readonly Nft[]> => {
    idempotency.onRepeated?.();
    return earlierTokens(dependencies, collection, result);
  };

  const begun = await begin(dependencies, request, () => requireOwnContract(dependencies, collection));
  if (begun.outcome === 'repeated') return answerEarlier(begun.result);
  const { hold, startedAt, required: signer } = begun;

  const admission = await admit(dependencies, {
    application,
    signer,
    hold,
    quota: { what: 'mints', by: tokens.length, limit: application.limits.mintsPerDay },
    gas: mintGasLimit(tokens.length),
    startedAt,
  });
  if (admission.outcome === 'repeated') return answerEarlier(admission.result);

  const { admitted, placed, reserved, firstTokenId } = await reserveNonceAndTokenIds(
    dependencies,
    admission,
    {
      ...collection,
      count: tokens.length,
      maxSupply: signer.contract.maxSupply,
    },
  );

  const batch = { collection, firstTokenId, tokens };
  const resource = newTokens(batch, new Date(dependencies.clock()).toISOString());
  const recorded = await record(dependencies, admitted, {
    reserved,
    unsigned: unsignedMint(batch),
    resource,
  });
  if (recorded.outcome === 'repeated') return answerEarlier(recorded.result);

  // The mint is recorded, so the caller must get a success. Neither of these calls throws.
  await Promise.all([
    broadcastRecorded(dependencies, { ...recorded, startedAt }),
    placed === undefined ? undefined : keepPlaces(dependencies, placed),
  ]);
  return resource.nfts.map((nft) => ({ ...nft, ...signedOf(recorded.entry) }));
};
