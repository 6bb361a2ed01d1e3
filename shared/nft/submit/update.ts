import type { Address } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import type { Royalty } from '../collections/collection.ts';
import type { Contract } from '../collections/contract.ts';
import { updateFor } from '../collections/updates.ts';
import {
  ContractNotFoundError,
  NftFailedError,
  NftNotFoundError,
  NftNotReservedError,
  NotRevocableError,
} from '../errors.ts';
import type { Nfts } from '../ports/nfts.ts';
import { type ChangeReservedDependencies, changeReserved } from '../reservations/change-reserved.ts';
import { isGone, isRevokedReservation } from '../tokens/gone.ts';
import type { CollectionKey, Nft, NftMetadata } from '../tokens/nft.ts';
import { requireRange, type TokenRange } from '../tokens/token-range.ts';
import type { UnsignedResource } from '../transactions/entry.ts';
import type { ChosenSigner } from '../transactions/key-ring.ts';
import type { UpdatePurpose } from '../transactions/purpose.ts';
import { referenceOfTokens } from '../transactions/references.ts';
import { admit } from './admit.ts';
import { type Begun, begin, type Idempotency, keepResult } from './idempotency.ts';
import {
  type RequireOwnContractDependencies,
  requireLivingContract,
  requireOwnContract,
} from './own-contract.ts';
import { broadcastRecorded, record, reserve, type SubmitDependencies } from './steps.ts';

export type UpdateContractDependencies = SubmitDependencies & RequireOwnContractDependencies;

export type UpdateTokensDependencies = UpdateContractDependencies &
  ChangeReservedDependencies & {
    readonly nfts: Pick<Nfts, 'findRange'>;
  };

export interface Update {
  readonly application: Application;
  /** The operation that asks for it. */
  readonly by?: string | undefined;
  readonly idempotency: Idempotency;
  readonly contract: Address;
}

/** @throws NftFailedError */
const refuseFailed = ({ status, contract: address, tokenId, failureReason: reason }: Nft): void => {
  if (status === 'failed') throw new NftFailedError({ address, tokenId, reason });
};

/** @throws NftNotFoundError if a token of the range is missing, NftFailedError for the first that has failed. */
const requireTokens = async (nfts: Pick<Nfts, 'findRange'>, range: TokenRange): Promise<readonly Nft[]> => {
  const found = await requireRange(nfts, range);
  for (const each of found) refuseFailed(each);
  return found;
};

/**
 * Reads the tokens and their contract. Throws if one of the tokens does not exist or has failed, or if some of them are
 * reserved and others are not.
 */
const requireOwnTokens = async (
  dependencies: UpdateTokensDependencies,
  tokens: TokenRange,
): Promise<{ readonly contract: Contract; readonly nfts: readonly Nft[]; readonly areReserved: boolean }> => {
  const contract = await requireLivingContract(dependencies, tokens);
  const nfts = await requireTokens(dependencies.nfts, tokens);
  const minted = nfts.find(({ status }) => status !== 'reserved');
  const areReserved = minted === undefined;
  if (!areReserved && nfts.some(({ status }) => status === 'reserved')) {
    throw new NftNotReservedError({ address: tokens.contract, tokenId: minted.tokenId });
  }
  return { contract, nfts, areReserved };
};

/**
 * Records and sends the transaction of a change, in the same steps as a mint. The write that records the transaction
 * also stores the new data, which the service shows from then on. The daily limit counts the change as one mint,
 * because it costs about as much as a mint.
 */
const submitUpdate = async (
  dependencies: UpdateContractDependencies,
  { application, idempotency: { onRepeated }, hold, startedAt }: Omit<Update, 'contract'> & Begun,
  {
    signer,
    purpose,
    resource,
  }: {
    readonly signer: ChosenSigner;
    readonly purpose: UpdatePurpose;
    readonly resource: UnsignedResource;
  },
): Promise<void> => {
  const { data, gas } = updateFor(purpose);
  const admission = await admit(dependencies, {
    application,
    signer,
    hold,
    quota: { what: 'mints', by: 1, limit: application.limits.mintsPerDay },
    gas,
    startedAt,
  });
  if (admission.outcome === 'repeated') return onRepeated?.();

  const reserved = await reserve(dependencies, admission);
  const unsigned = { purpose, to: purpose.contract, data, gas };
  const recorded = await record(dependencies, admission, { reserved, unsigned, resource });
  if (recorded.outcome === 'repeated') {
    const { hasSameKey, result } = recorded;
    if (hasSameKey || (await keepResult(dependencies, { hold, result })) === 'repeated') onRepeated?.();
    return;
  }
  await broadcastRecorded(dependencies, { ...recorded, startedAt });
};

/** Changes the contract itself, unless the idempotency key already has a result. */
const updateContract = async (
  dependencies: UpdateContractDependencies,
  update: Update,
  change: { readonly purpose: UpdatePurpose; readonly resource: UnsignedResource },
): Promise<void> => {
  const begun = await begin(dependencies, update, () => requireOwnContract(dependencies, change.purpose));
  if (begun.outcome === 'repeated') return update.idempotency.onRepeated?.();
  await submitUpdate(dependencies, { ...update, ...begun }, { ...change, signer: begun.required });
};

const getContract = async (
  { contracts }: Pick<UpdateContractDependencies, 'contracts'>,
  { applicationId, contract }: CollectionKey,
): Promise<Contract> => {
  const found = await contracts.find({ applicationId, address: contract });
  if (found === undefined) throw new ContractNotFoundError({ address: contract });
  return found;
};

/** Replaces the metadata of tokens with consecutive ids, and returns the changed tokens. */
export const updateTokenMetadata = async (
  dependencies: UpdateTokensDependencies,
  {
    from,
    metadata,
    ...update
  }: Update & { readonly from: string; readonly metadata: readonly NftMetadata[] },
): Promise<readonly Nft[]> => {
  const collection = { applicationId: update.application.id, contract: update.contract };
  const range = { ...collection, from, to: String(Number(from) + metadata.length - 1) };
  const { onRepeated } = update.idempotency;
  const begun = await begin(dependencies, update, () => requireOwnTokens(dependencies, range));
  if (begun.outcome === 'repeated') onRepeated?.();
  else if (begun.required.areReserved) {
    // The chain does not know the tokens yet, so there is nothing to announce.
    const change = { kind: 'metadata', tokens: begun.required.nfts, metadata } as const;
    if ((await changeReserved(dependencies, { ...begun, by: update.by, change })) === 'repeated')
      onRepeated?.();
  } else {
    await submitUpdate(
      dependencies,
      { ...update, ...begun },
      {
        signer: await requireOwnContract(dependencies, range),
        purpose: { kind: 'update-metadata', ...range },
        resource: { kind: 'metadata', collection, from, metadata },
      },
    );
  }
  return requireRange(dependencies.nfts, range);
};

/** Replaces the metadata of a contract (not its name), and returns the changed contract. */
export const updateContractMetadata = async (
  dependencies: UpdateContractDependencies,
  { metadata, ...update }: Update & { readonly metadata: Pick<Contract, 'description' | 'image' | 'media'> },
): Promise<Contract> => {
  const collection = { applicationId: update.application.id, contract: update.contract };
  await updateContract(dependencies, update, {
    purpose: { kind: 'update-contract-metadata', ...collection },
    resource: { kind: 'contract-metadata', collection, metadata },
  });
  return getContract(dependencies, collection);
};

/** Sets or removes the royalty of a contract's tokens, and returns the changed contract. */
export const setRoyalty = async (
  dependencies: UpdateContractDependencies,
  { royalty, ...update }: Update & { readonly royalty: Royalty | null },
): Promise<Contract> => {
  const collection = { applicationId: update.application.id, contract: update.contract };
  await updateContract(dependencies, update, {
    purpose: { kind: 'set-royalty', ...collection, royalty },
    resource: { kind: 'royalty', collection, change: { royalty, status: 'pending' } },
  });
  return getContract(dependencies, collection);
};

/** @throws NftNotFoundError */
const findToken = async (
  { nfts }: Pick<UpdateTokensDependencies, 'nfts'>,
  token: TokenRange,
): Promise<Nft> => {
  const [nft] = await nfts.findRange(token);
  if (nft === undefined) throw new NftNotFoundError({ address: token.contract, tokenId: token.from });
  return nft;
};

/** Returns the token and its contract. Throws if the token does not exist or cannot be revoked. */
const requireRevocable = async (
  dependencies: UpdateTokensDependencies,
  token: TokenRange,
): Promise<{ readonly contract: Contract; readonly nft: Nft }> => {
  const contract = await requireLivingContract(dependencies, token);
  const nft = await findToken(dependencies, token);
  // What was read once decides: a second read could find the token revoked in between, by a request with the same key.
  if (!isRevokedReservation(nft)) refuseFailed(nft);
  if (contract.revocable !== true) throw new NotRevocableError({ address: contract.address });
  return { contract, nft };
};

/**
 * Burns a token, whoever holds it, and returns the token. A reserved token fails instead, and its place in a limited
 * supply becomes free. If the token is gone already, nothing more is done.
 */
export const revokeToken = async (
  dependencies: UpdateTokensDependencies,
  { tokenId, ...update }: Update & { readonly tokenId: string },
): Promise<Nft> => {
  const collection = { applicationId: update.application.id, contract: update.contract };
  const range = { ...collection, from: tokenId, to: tokenId };
  const { onRepeated } = update.idempotency;
  const begun = await begin(dependencies, update, () => requireRevocable(dependencies, range));
  if (begun.outcome === 'repeated') {
    onRepeated?.();
    return findToken(dependencies, range);
  }
  const { nft, contract } = begun.required;
  if (nft.status === 'reserved') {
    const isPlaced = contract.maxSupply !== undefined;
    const change = { kind: 'revocation', tokens: [nft], isPlaced } as const;
    if ((await changeReserved(dependencies, { ...begun, by: update.by, change })) === 'repeated')
      onRepeated?.();
    return findToken(dependencies, range);
  }
  if (isGone(nft) || isRevokedReservation(nft)) {
    const { hold } = begun;
    if ((await keepResult(dependencies, { hold, result: referenceOfTokens([nft]) })) === 'kept') return nft;
    onRepeated?.();
    return findToken(dependencies, range);
  }
  await submitUpdate(
    dependencies,
    { ...update, ...begun },
    {
      signer: await requireOwnContract(dependencies, collection),
      purpose: { kind: 'revoke', ...collection, tokenId },
      resource: { kind: 'burn', collection, tokenId },
    },
  );
  return findToken(dependencies, range);
};
