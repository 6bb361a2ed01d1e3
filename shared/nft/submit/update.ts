import type { Application } from '../../applications/application.ts';
import type { Royalty } from '../collection/collection.ts';
import type { Contract } from '../collection/contract.ts';
import type { CollectionKey, Nft, NftMetadata } from '../collection/nft.ts';
import { type UpdatePurpose, updateFor } from '../collection/updates.ts';
import type { Resource } from '../entry.ts';
import { ContractNotFoundError, NftFailedError, NftNotFoundError } from '../errors.ts';
import type { Address } from '../hex.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Idempotency } from './idempotency.ts';
import { requireOwnContract } from './own-contract.ts';
import type { Signed } from './record-transaction.ts';
import { type SubmitDependencies, submit } from './submit.ts';

export type UpdateContractDependencies = SubmitDependencies & {
  readonly contracts: Pick<Contracts, 'find'>;
};

export type UpdateTokensDependencies = UpdateContractDependencies & {
  readonly nfts: Pick<Nfts, 'findRange'>;
};

interface Update {
  readonly application: Application;
  readonly idempotency: Idempotency;
  readonly contract: Address;
}

/**
 * Records and sends the one transaction of a change, with what the service itself shows from then on. It counts as
 * one mint of the day, since it costs about as much.
 */
const submitUpdate = async (
  dependencies: UpdateContractDependencies,
  {
    application,
    idempotency,
    purpose,
    requirements = async () => {},
    resource,
  }: Update & {
    readonly purpose: UpdatePurpose;
    readonly requirements?: () => Promise<void>;
    readonly resource: (signed: Signed) => Resource;
  },
): Promise<void> => {
  const { contract } = purpose;
  const { data, gas } = updateFor(purpose);
  await submit<Resource | undefined>(dependencies, {
    application,
    idempotency,
    quota: { what: 'mints', by: 1, limit: application.limits.mintsPerDay },
    gas,
    signer: async () => {
      const signer = await requireOwnContract(dependencies, { application: application.id, contract });
      await requirements();
      return signer;
    },
    reserve: async () => ({
      draft: { purpose, to: contract, data, gas },
      make: resource,
      resource: (changed) => changed,
    }),
    madeBefore: async () => undefined,
  });
};

const getContract = async (
  { contracts }: Pick<UpdateContractDependencies, 'contracts'>,
  { application, contract }: CollectionKey,
): Promise<Contract> => {
  const found = await contracts.find({ application, address: contract });
  if (found === undefined) throw new ContractNotFoundError({ address: contract });
  return found;
};

/** All tokens of the range; throws what the first that is missing or failed asks for. */
const requireTokens = (
  found: readonly Nft[],
  { contract: address, from, count }: CollectionKey & { readonly from: string; readonly count: number },
): void => {
  const byId = new Map(found.map((nft) => [nft.tokenId, nft]));
  for (let index = 0; index < count; index += 1) {
    const tokenId = String(Number(from) + index);
    const nft = byId.get(tokenId);
    if (nft === undefined) throw new NftNotFoundError({ address, tokenId });
    if (nft.status === 'failed') throw new NftFailedError({ address, tokenId, reason: nft.failureReason });
  }
};

/** Replaces the metadata of tokens with consecutive ids, and answers them as they are then. */
export const updateTokenMetadata = async (
  dependencies: UpdateTokensDependencies,
  {
    from,
    metadata,
    ...update
  }: Update & { readonly from: string; readonly metadata: readonly NftMetadata[] },
): Promise<Nft[]> => {
  const { nfts } = dependencies;
  const collection = { application: update.application.id, contract: update.contract };
  const range = { ...collection, from, to: String(Number(from) + metadata.length - 1) };
  await submitUpdate(dependencies, {
    ...update,
    purpose: { kind: 'update-metadata', ...range },
    requirements: async () =>
      requireTokens(await nfts.findRange(range), { ...range, count: metadata.length }),
    resource: () => ({ kind: 'metadata', collection, from, metadata }),
  });
  return nfts.findRange(range);
};

/** Replaces what the service shows of a contract besides its name, and answers the contract as it is then. */
export const updateContractMetadata = async (
  dependencies: UpdateContractDependencies,
  { metadata, ...update }: Update & { readonly metadata: Pick<Contract, 'description' | 'image' | 'media'> },
): Promise<Contract> => {
  const collection = { application: update.application.id, contract: update.contract };
  await submitUpdate(dependencies, {
    ...update,
    purpose: { kind: 'update-contract-metadata', ...collection },
    resource: () => ({ kind: 'contract-metadata', collection, metadata }),
  });
  return getContract(dependencies, collection);
};

/** Sets what each sale of a contract's tokens asks for, or takes it away, and answers the contract as it is then. */
export const setRoyalty = async (
  dependencies: UpdateContractDependencies,
  { royalty, ...update }: Update & { readonly royalty: Royalty | null },
): Promise<Contract> => {
  const collection = { application: update.application.id, contract: update.contract };
  await submitUpdate(dependencies, {
    ...update,
    purpose: { kind: 'set-royalty', ...collection, royalty },
    resource: (signed) => ({
      kind: 'royalty',
      collection,
      change: { royalty, status: 'pending', ...signed },
    }),
  });
  return getContract(dependencies, collection);
};
